"""Placeholder, written with the first module of this package."""
