"""Pictures that explain: steps of techniques, chains of reasons, visits of search methods."""
