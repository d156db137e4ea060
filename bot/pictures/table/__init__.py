"""Picture of a table.

In the bot, `contents` computes a `scene`, and `scene_text` describes it in words. In the drawing
process, `layout` computes the positions, and `picture` draws it with `plates` and `middle`.
"""
