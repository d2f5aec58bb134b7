"""Evidence for a verdict: conflicts, reasons, guards, needs, and the candidates that occur."""
