"""Export specs to f-puzzles: recover the variant, and write it as JSON or a link."""
