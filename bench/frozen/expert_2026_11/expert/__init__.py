"""The Expert: deals the unseen cards at random, plays on in compiled code, and takes the average.

`players.expert.thinking` is the door; the modules below it are compiled by numba.
"""
