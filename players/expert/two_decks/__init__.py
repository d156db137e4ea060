"""The Expert's compiled code for two decks: Grand Seigneur with seven or more players.

This game has no partners, calls, points or Dogs. So the code is much shorter than that for one
deck, and shares everything that does not depend on the form of a set of cards.
"""
