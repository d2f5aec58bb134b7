"""Import, export, edit and set puzzles, and solve files of them."""
