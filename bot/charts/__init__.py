"""Pictures of scores as PNG files, drawn with matplotlib: for the bot in a process of their own.

`descriptions` say what is to be drawn, with their `words`; `alt_texts` say the same to whoever
does not see it. `points`, `places` and `rating` draw on a `sheet`; only these import matplotlib.
`bot.pictures` starts `python -m bot.charts`, which reads a description and writes the picture.
"""
