"""Hands: tiles, suit tables, shanten and useful tiles, waits; shared by all variants of the game."""
