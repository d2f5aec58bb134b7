"""The page in which a trace plays."""
