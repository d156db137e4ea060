"""Draws the picture of any drawing. Only the drawing process imports this."""

from __future__ import annotations

from bot.pictures.descriptions import Chart, PlacesChart, ScoreChart
from bot.pictures.messages import Drawing
from bot.pictures.scene import TableScene
from bot.pictures.table_picture import draw_table


def draw(drawing: Drawing) -> bytes:
    """The picture as a PNG file."""
    return draw_table(drawing) if isinstance(drawing, TableScene) else _chart(drawing)


def _chart(chart: Chart) -> bytes:
    """The picture of a chart. matplotlib is loaded with the first one."""
    if isinstance(chart, ScoreChart):
        from bot.pictures.points import draw_points

        return draw_points(chart)
    if isinstance(chart, PlacesChart):
        from bot.pictures.places import draw_places

        return draw_places(chart)
    from bot.pictures.rating import draw_rating

    return draw_rating(chart)
