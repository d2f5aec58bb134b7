"""The text of a spec: vocabulary, syntax tree, parser, printer and diagnostics."""
