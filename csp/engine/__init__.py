"""The engine: ``compiled`` turns models into bits, ``search`` propagates and branches, ``solver`` answers queries."""
