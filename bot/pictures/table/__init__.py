"""The picture of a table.

In the bot: `contents` computes a `scene`, and `scene_text` says the same in words. In the drawing
process: `layout` says where everything is, `picture` draws it with `plates` and `middle`.
"""
