"""Read links to penpa: sudokus, and square grids with a tag."""
