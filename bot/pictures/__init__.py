"""Pictures of tables, scores and ratings as PNG files, drawn in a process of their own.

In the bot: `table_scene` computes the `scene` of a table, and `descriptions` says what a chart
shows, with all words. `scene_text` and `alt_texts` tell the same to people who do not see it.
`process` starts `python -m bot.pictures`, gives it scenes and descriptions and gets pictures back.

In that process: `drawing` calls `table_picture` for a table, or has a chart laid out and drawn by
`charts`. Both use Pillow, the `typeface` and the `palette`; the bot itself does not load it.
"""
