"""Result card of a match: teams, score, calls, bombs, a play of the last round, and the chart.

`scene` describes it, `picture` draws it, and `card_text` describes it in words.
"""
