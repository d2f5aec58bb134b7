"""What a colleague would say about a spec: its mistakes, and what is hardly meant."""
