"""What links hold, unpacked: texts compressed, and JSON written with few letters."""
