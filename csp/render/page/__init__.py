"""HTML pages: the player of a trace, races of traces, and worksheets."""
