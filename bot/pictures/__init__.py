"""Pictures of tables, scores and ratings as PNG files, drawn in a separate process.

In the bot, `table.scene` and `descriptions` define the content of a picture, with all its text;
`table.scene_text` and `alt_texts` describe it for people who do not see it. `process` starts
`python -m bot.pictures`, sends it scenes and descriptions and receives pictures.

In that process, `drawing` draws a table with `table` or a chart with `charts`. Both use Pillow, the
`sprites`, the `typeface` and the `palette`; the bot itself does not load it.
"""
