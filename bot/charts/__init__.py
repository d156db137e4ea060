"""Pictures of scores as PNG files, drawn with matplotlib in a process of their own.

In the bot: `descriptions` say what is to be drawn, with the `words` on it; `alt_texts` tell the
same to people who do not see the picture; `process` starts `python -m bot.charts` for each picture,
which gets a description and returns a PNG file.

In that process: `drawing` calls `points`, `places` or `rating`, which draw on a `sheet`, with the
`signs` and the `lettering`. Only these import matplotlib.
"""
