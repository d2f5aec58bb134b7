"""From a spec back to a link."""
