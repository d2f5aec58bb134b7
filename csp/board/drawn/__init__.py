"""What the spec says is drawn: on grids, and in the places of values."""
