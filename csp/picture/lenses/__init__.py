"""Ways to see the same step: what joins the vertices, and what shows only at work. A lens is one file."""
