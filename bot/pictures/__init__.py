"""Pictures of tables, scores and ratings as PNG files, drawn in a process of their own.

In the bot: `table.scene` and `descriptions` say what is shown, with all words; `table.scene_text`
and `alt_texts` tell the same to people who do not see it.
`process` starts `python -m bot.pictures`, gives it scenes and descriptions and gets pictures back.

In that process: `drawing` has a table drawn by `table` or a chart by `charts`. Both use Pillow, the
`sprites`, the `typeface` and the `palette`; the bot itself does not load it.
"""
