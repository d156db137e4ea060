"""Finds the weights of the Expert's quick policy (`players/expert/weights.json`).

`python -m bench.tuning` lets the quick policy play against itself with the weights moved up and
down; docs/computer-players.md says what it found. `duels` plays these rounds, some thousands a
second. `quick_policy` makes a tournament's contestants of weights: ``quick:FILE`` and
``expert-with:FILE:PLAYOUTS``.
"""
