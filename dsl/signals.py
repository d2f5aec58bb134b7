"""Defines the signals that stop the program.

Its exit code is then 128 plus the number of the signal.
"""

import signal

REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
"""The name of each signal in messages."""
