"""Read and write links to puzz.link, pzv and pzplus; each genre has one description of its body for both."""
