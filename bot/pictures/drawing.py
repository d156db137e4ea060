"""Draws the picture of any description. Only the drawing process imports this."""

from __future__ import annotations

from bot.pictures.descriptions import Chart, PlacesChart, ScoreChart
from bot.pictures.places import draw_places
from bot.pictures.points import draw_points
from bot.pictures.rating import draw_rating


def draw(chart: Chart) -> bytes:
    """The picture as a PNG file."""
    if isinstance(chart, ScoreChart):
        return draw_points(chart)
    if isinstance(chart, PlacesChart):
        return draw_places(chart)
    return draw_rating(chart)
