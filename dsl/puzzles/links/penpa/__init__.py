"""Links to penpa: sudoku grids, and square grids with the tag of a genre."""
