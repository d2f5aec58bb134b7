"""Evidence for a verdict: conflicts, reasons, guards, needed constraints, and the values that occur."""
