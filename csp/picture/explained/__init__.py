"""Pictures of what explanations say: steps of techniques, and chains of reasons."""
