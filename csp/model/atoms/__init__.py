"""What stands in a sum and is neither a number nor a variable, made of constraints: elements, selections, counts."""
