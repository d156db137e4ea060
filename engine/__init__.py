"""The rules of Tichu as pure functions: no Discord, no clock, no disk, no randomness, no logging.

A game is its options, its deck orders and its list of actions; see `engine.match` for the door.
"""
