"""Pictures of tables, scores and ratings as PNG files, drawn in a process of their own.

In the bot: `table_scene` computes the `scene` of a table, and `descriptions` says what a chart
shows, with all words. `scene_text` and `alt_texts` tell the same to people who do not see it.
`process` starts `python -m bot.pictures`, gives it scenes and descriptions and gets pictures back.

In that process: `drawing` calls `table_picture`, which puts the picture together with Pillow, or
draws a chart with matplotlib (`points`, `places`, `rating`). The bot itself loads neither.
"""
