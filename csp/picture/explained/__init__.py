"""Pictures of what explanations tell: steps of techniques, chains of reasons, what methods visited."""
