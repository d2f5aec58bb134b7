"""Reading and writing: texts to syntax and back, and what is told where a text is wrong."""
