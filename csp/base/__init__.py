"""What all packages share: errors, notation, files, immutable classes, lazy imports."""
