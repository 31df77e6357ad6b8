"""Estimates and summaries: from a run's whole-number totals to numbers with honest intervals.

The wall is the unit of everything: see `estimate`.
"""
