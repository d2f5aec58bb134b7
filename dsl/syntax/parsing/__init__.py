"""Parse the text of a spec: lexer, parser, and diagnostics for syntax errors."""
