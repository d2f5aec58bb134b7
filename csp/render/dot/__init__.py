"""Pictures as DOT text, and Graphviz, which draws it."""
