"""The rules of Tichu as pure functions: no Discord, no clock, no disk, no randomness, no logging.

A game is its options, its deck orders and its list of actions; see `engine.match` for the door.
Numbers in docstrings (N28, section 6, C11, O4) are those of docs/rules.md.
"""
