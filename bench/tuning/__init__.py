"""Tuning of the weights of the Expert's quick policy (`players/expert/weights.json`).

`python -m bench.tuning` lets the quick policy play against itself with changed weights;
docs/measurements/computer-players.md has the results. `duels` plays some thousand rounds a second.
`quick_policy` makes tournament contestants from weights: ``quick:FILE`` and
``expert-with:FILE:PLAYOUTS``.
"""
