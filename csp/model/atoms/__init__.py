"""Terms of sums that depend on constraints: elements, selections, numbers of different values."""
