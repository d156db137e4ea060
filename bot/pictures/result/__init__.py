"""Result card of a match: teams, score, calls, bombs, straight, play, and the chart.

`scene` describes it, `picture` draws it, and `card_text` describes it in words.
"""
