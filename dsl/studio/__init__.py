"""The studio: a web page for writing specs and watching them propagate.

The page (``page/``) sends questions to engines and shows their messages. ``server.py`` serves the page, ``engine.py``
runs the worker processes, and ``protocol.py`` has the answers.
"""
