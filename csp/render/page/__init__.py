"""Write HTML pages that play a trace, race traces against each other, or print a worksheet."""
