"""Experiments, schedules, runs and run folders: from a file that says what to play to rows and sums on disk.

Light to import: the engine's compiled code is only needed once something is played (`sim.tournament.game`).
"""
