"""Evidence for verdicts: conflicts, reasons, guards, needed constraints, possible values."""
