"""Write HTML pages: the player of a trace, races of traces, worksheets."""
