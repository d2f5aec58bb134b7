"""The studio: a page on which a spec is written and seen to propagate, and what answers it."""
