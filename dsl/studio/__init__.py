"""The studio: a web page for writing specs and watching them propagate."""
