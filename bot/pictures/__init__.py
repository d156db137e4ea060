"""Pictures of scores as PNG files, drawn with matplotlib in a process of their own.

In the bot: `descriptions` says what is to be drawn, with the `words` on it. `alt_texts` says the
same for people who do not see the picture. `process` starts `python -m bot.pictures` for each
picture, gives it a description and gets a PNG file back.

In that process: `drawing` calls `points`, `places` or `rating`, which draw on a `sheet` with the
help of `signs` and `lettering`. Only these modules import matplotlib.
"""
