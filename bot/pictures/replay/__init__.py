"""Picture of a position of a finished round: the trick on the table, and the hands around it.

In the bot, `contents` computes a `scene`, and `replay_text` describes it in words. In the drawing
process, `layout` computes the positions, `picture` draws it, and `animation` draws several scenes
as a GIF.
"""
