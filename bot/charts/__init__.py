"""Pictures of scores as PNG files, drawn with matplotlib: for the bot in a process of their own.

`descriptions` say what is to be drawn, with their `words`; `alt_texts` say the same to whoever
does not see it. `points`, `places` and `rating` draw on a `sheet`; only these import matplotlib.
`bot.charts.process` starts `python -m bot.charts`: a description in, a picture out.
"""
