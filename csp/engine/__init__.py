"""The engine: ``compiled`` compiles models, ``search`` propagates and branches, ``solver`` answers queries."""
