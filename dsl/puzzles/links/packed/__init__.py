"""Unpack the data of links: compressed text and short JSON."""
