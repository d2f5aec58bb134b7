"""What syntax means: names, relations, bodies and expressions, down to a model."""
