"""What all rooms stand on: errors, how values are written, whole files, and the registry of notebook painters."""
