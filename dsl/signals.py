"""What ends the program from outside; it then exits with 128 and the number of the signal."""

import signal

REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
"""What messages call it."""
