"""Checks a spec: its errors, and warnings about probable mistakes."""
