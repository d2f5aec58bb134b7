"""The text of a spec: its words, syntax, parser, printer and errors."""
