"""Puts the Python environment of a box together, before anything else is there: standard library only."""
