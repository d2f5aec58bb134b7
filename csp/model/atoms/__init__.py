"""What stands in a sum and is made of constraints: elements, selections, numbers of values."""
