"""Write pictures as DOT text, and draw DOT text with Graphviz."""
