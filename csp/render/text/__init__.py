"""A terminal, tables and lists."""
