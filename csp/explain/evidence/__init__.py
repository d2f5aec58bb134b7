"""Evidence about a model: conflicts, reasons, possible values, constraints that it needs."""
