"""What a picture shows and where, worked out once from a model; painters only paint it."""
