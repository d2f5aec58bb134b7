"""Solution paths of a person: techniques, and the hints and ratings based on them."""
