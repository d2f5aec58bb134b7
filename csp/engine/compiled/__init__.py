"""A model compiled: rewritten, numbered, with the kernel, its layout and the filters."""
