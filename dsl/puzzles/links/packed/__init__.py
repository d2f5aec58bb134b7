"""Unpack the data of links: compressed text, and JSON in the short form of SudokuPad."""
