"""Links to puzz.link, pzv and pzplus, there and back: each genre says once how its body is written."""
