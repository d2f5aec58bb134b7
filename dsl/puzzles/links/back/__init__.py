"""Export specs to f-puzzles, as JSON or a link."""
