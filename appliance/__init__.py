"""Lamplight: an offline library that answers with sources."""

__version__ = "0.1.0"
