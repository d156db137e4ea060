"""Picture of a private hand, with the table above it when its player is asked something.

In the bot, `contents` computes a `scene`, and `hand_text` describes it in words. In the drawing
process, `layout` computes the positions, and `picture` draws it. The table part is a `TableScene`
seen from the own seat, so its seats, texts and cards are drawn like those of a table.
"""
