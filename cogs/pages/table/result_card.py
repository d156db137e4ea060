"""The description of the result card of a match, and its alternative text."""

from __future__ import annotations

from collections.abc import Iterable

from bot.art.names import face
from bot.history.highlights import Highlight, MatchFacts
from bot.pictures.alt_texts import LONGEST, alt_text
from bot.pictures.descriptions import Name, PlacesChart
from bot.pictures.result.scene import Calls, CardLine, PlayShown, ResultCard
from bot.pictures.table.scene_text import spoken
from bot.table.match_length import winners_of
from bot.table.state import Game
from bot.text.cards import Speaker, cards_in_play_order
from bot.text.options import game_title
from cogs.pages.names import plain_name, seats_of_column
from cogs.pages.table.score_chart import names_of, score_chart
from engine import Call, Column, Seat, card_text


def result_card(state: Game, facts: MatchFacts, words: Speaker) -> ResultCard | PlacesChart:
    """Return the picture of a finished match.

    A game without points has a chart of places only.
    """
    chart, match = score_chart(state, words), state.match
    if isinstance(chart, PlacesChart):
        return chart
    bombs = [0] * len(match.totals)
    for seat in (seat for round_ in facts.rounds for seat in round_.seats):
        bombs[seat.column] += seat.bombs
    say, count = words.say, len(match.results)
    heading = (game_title(say, match.options.variant), say.many("{n} round", "{n} rounds", count))
    play, straight = facts.play, facts.straight
    columns = sorted(range(len(match.totals)), key=lambda column: -match.totals[column])
    return ResultCard(
        heading=" · ".join(heading),
        lines=tuple(_line(state, column, bombs[column], words) for column in columns),
        straight=_shown(state, say("Longest straight"), straight, words)
        if straight is not None and straight is not play
        else None,
        play=None if play is None else _shown(state, say("Play of the match"), play, words),
        chart=chart if count > 1 else None,
    )


def card_text_of(state: Game, card: ResultCard | PlacesChart, words: Speaker) -> str:
    """Return the alternative text of a card: that of its chart, the bombs, straight and play."""
    say = words.say
    parts = [alt_text(score_chart(state, words), say)]
    if isinstance(card, ResultCard):
        bombs = sum(line.bombs for line in card.lines)
        if bombs:
            parts.append(say.many("{n} bomb.", "{n} bombs.", bombs))
        for shown in filter(None, (card.straight, card.play)):
            name_and_play = say.labelled(spoken(shown.name), shown.text)
            parts.append(f"{say.labelled(shown.heading, name_and_play)}.")
    text = " ".join(parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _line(state: Game, column: Column, bombs: int, words: Speaker) -> CardLine:
    """Return the line of a team, or of a player with their own points."""
    match = state.match
    return CardLine(
        names=names_of(state, column, words),
        team=_team(state, seats_of_column(state, column)[0]),
        total=words.say.number(match.totals[column]),
        won=column in winners_of(match),
        calls=tuple(_calls(state, column)),
        bombs=bombs,
    )


def _calls(state: Game, column: Column) -> Iterable[Calls]:
    """Yield the calls of a column in the match by kind."""
    of_column = state.match.variant.column
    outcomes = [
        (call, made)
        for result in state.match.results
        for seat, call, made in result.calls
        if of_column(state.round, seat) == column
    ]
    for call in (Call.TICHU, Call.GRAND):
        made, failed = outcomes.count((call, True)), outcomes.count((call, False))
        if made or failed:
            yield Calls(grand=call is Call.GRAND, made=made, failed=failed)


def _team(state: Game, seat: Seat) -> int | None:
    """Return the team of a seat, if there are two for the whole match."""
    teams = state.round.seating.teams
    fixed = state.match.variant.fixed_partners and set(teams) == {0, 1}
    return teams[seat] if fixed else None


def _shown(state: Game, heading: str, play: Highlight, words: Speaker) -> PlayShown:
    """Return a play of the match with the name of its player at that time."""
    return PlayShown(
        cards=tuple(face(card_text(card)) for card in cards_in_play_order(play.combination)),
        heading=heading,
        text=words.combination(play.combination),
        name=Name(
            plain_name(play.table, play.seat, words),
            words.say("Player {number}", number=words.say.number(play.seat + 1)),
        ),
        team=_team(state, play.seat),
    )
