"""Standings of a tournament: the bracket of a knock-out, or a table.

In the bot, `contents` computes a `scene`, and `standings_text` describes it in words. In the
drawing process, `bracket` and `table` compute the sheet.
"""
