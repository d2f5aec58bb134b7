"""Drawing: one file, one format, from records to text and pictures; nothing is solved here."""
