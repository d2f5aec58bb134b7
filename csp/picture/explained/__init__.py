"""Pictures of explanations: steps of techniques, chains of reasons, and the visits of search methods."""
