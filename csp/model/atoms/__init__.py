"""Terms of sums other than variables: elements, selections, numbers of different values."""
