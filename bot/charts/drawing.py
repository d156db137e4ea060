"""Draws the picture of any description. Only the drawing process imports this."""

from __future__ import annotations

from bot.charts.descriptions import Chart, PlacesChart, ScoreChart
from bot.charts.places import draw_places
from bot.charts.points import draw_points
from bot.charts.rating import draw_rating


def draw(chart: Chart) -> bytes:
    """The picture as a PNG file."""
    if isinstance(chart, ScoreChart):
        return draw_points(chart)
    if isinstance(chart, PlacesChart):
        return draw_places(chart)
    return draw_rating(chart)
