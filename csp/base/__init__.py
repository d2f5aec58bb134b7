"""The base of all packages: errors, notation of values, file output, immutable classes and lazy imports."""
