"""The Expert: deals the hidden cards at random, again and again, and plays every choice to its end.

`players.expert.thinking` is the door. Most of the other modules are compiled by numba.
"""
