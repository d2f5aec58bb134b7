"""What joins the vertices, and how it runs."""
