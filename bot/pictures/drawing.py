"""Entry point of drawing, for pictures of all kinds. Only the drawing process imports this."""

from __future__ import annotations

from bot.pictures.charts.chances import lay_out_chances
from bot.pictures.charts.places import lay_out_places
from bot.pictures.charts.points import lay_out_points
from bot.pictures.charts.sheet import Sheet
from bot.pictures.charts.sheet_picture import png
from bot.pictures.charts.trend import lay_out_trend
from bot.pictures.descriptions import ChancesChart, Chart, PlacesChart, ScoreChart
from bot.pictures.hand.picture import draw_hand
from bot.pictures.hand.scene import HandScene
from bot.pictures.process_messages import Drawing
from bot.pictures.replay.animation import draw_animation
from bot.pictures.replay.picture import draw_replay
from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.pictures.result.picture import draw_card
from bot.pictures.result.scene import ResultCard
from bot.pictures.standings.bracket import lay_out_bracket
from bot.pictures.standings.scene import Bracket, Standings, StandingsTable
from bot.pictures.standings.table import lay_out_table
from bot.pictures.table.picture import draw_table
from bot.pictures.table.scene import TableScene


def draw(drawing: Drawing) -> bytes:
    """Draw a picture and return it as a PNG file, an animation as a GIF file."""
    match drawing:
        case TableScene():
            return draw_table(drawing)
        case HandScene():
            return draw_hand(drawing)
        case ReplayScene():
            return draw_replay(drawing)
        case TrickAnimation():
            return draw_animation(drawing)
        case ResultCard():
            return draw_card(drawing)
    return png(lay_out(drawing))


def lay_out(chart: Chart | Standings) -> Sheet:
    """Lay out a chart or standings on a sheet."""
    if isinstance(chart, Bracket):
        return lay_out_bracket(chart)
    if isinstance(chart, StandingsTable):
        return lay_out_table(chart)
    if isinstance(chart, ScoreChart):
        return lay_out_points(chart)
    if isinstance(chart, PlacesChart):
        return lay_out_places(chart)
    if isinstance(chart, ChancesChart):
        return lay_out_chances(chart)
    return lay_out_trend(chart)
