"""The commands of ``csp``, one file for each."""
