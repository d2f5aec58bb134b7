"""Unpacks the data of links: compressed text, and abbreviated JSON."""
