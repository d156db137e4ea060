"""The Expert's compiled code for two decks: Grand Seigneur from seven players on.

Nobody has a partner there, and there are no calls, points and Dogs. So it is much shorter than the
code for one deck, which it shares everything with that does not ask what a set of cards is.
"""
