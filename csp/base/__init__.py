"""The base of all packages: errors, notation, files, immutable classes, lazy imports."""
