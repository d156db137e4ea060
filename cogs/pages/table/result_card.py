"""The description of the result card of a match, and its alternative text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.art.names import face
from bot.pictures.alt_texts import LONGEST, alt_text
from bot.pictures.descriptions import Name, PlacesChart
from bot.pictures.result.scene import Calls, CardLine, PlayShown, ResultCard
from bot.pictures.table.scene_text import spoken
from bot.records import RoundRecord
from bot.table.state import Game
from bot.text.cards import Speaker, cards_in_play_order
from bot.text.options import game_title
from cogs.pages.names import plain_name, seats_of_column
from cogs.pages.table.score_chart import names_of, score_chart
from engine import Call, Column, Combination, Seat, card_text

SHORTEST = 5
"""Number of cards from which a play that is no bomb is worth showing."""


def result_card(
    state: Game, rounds: Iterable[RoundRecord], words: Speaker
) -> ResultCard | PlacesChart:
    """Return the picture of a finished match; `rounds` are its stored rounds.

    A game without points has a chart of places only.
    """
    chart, match = score_chart(state, words), state.match
    if isinstance(chart, PlacesChart):
        return chart
    bombs = [0] * len(match.totals)
    for seat in (seat for round_ in rounds for seat in round_.seats):
        bombs[seat.column] += seat.bombs
    say, count = words.say, len(match.results)
    heading = (game_title(say, match.options.variant), say.many("{n} round", "{n} rounds", count))
    columns = sorted(range(len(match.totals)), key=lambda column: -match.totals[column])
    return ResultCard(
        heading=" · ".join(heading),
        lines=tuple(_line(state, column, bombs[column], words) for column in columns),
        play=_play(state, words),
        chart=chart if count > 1 else None,
    )


def card_text_of(state: Game, card: ResultCard | PlacesChart, words: Speaker) -> str:
    """Return the alternative text of a card: that of its chart, the bombs, and its play."""
    say = words.say
    parts = [alt_text(score_chart(state, words), say)]
    if isinstance(card, ResultCard):
        bombs = sum(line.bombs for line in card.lines)
        if bombs:
            parts.append(say.many("{n} bomb.", "{n} bombs.", bombs))
        if card.play:
            told = say.labelled(spoken(card.play.name), card.play.text)
            parts.append(f"{say.labelled(card.play.heading, told)}.")
    text = " ".join(parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _line(state: Game, column: Column, bombs: int, words: Speaker) -> CardLine:
    """Return the line of a team, or of a player with their own points."""
    match = state.match
    return CardLine(
        names=names_of(state, column, words),
        team=_team(state, seats_of_column(state, column)[0])
        if match.variant.fixed_partners
        else None,
        total=words.say.number(match.totals[column]),
        won=column in match.winners,
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
    """Return the team of a seat, if there are two."""
    teams = state.round.seating.teams
    return teams[seat] if set(teams) == {0, 1} else None


def _play(state: Game, words: Speaker) -> PlayShown | None:
    """Return the play of the last round: its largest bomb, or else its longest combination."""
    found = max(_plays(state), key=lambda play: _worth(play[1]), default=None)
    if found is None or not (found[1].is_bomb or found[1].size >= SHORTEST):
        return None
    seat, best = found
    return PlayShown(
        cards=tuple(face(card_text(card)) for card in cards_in_play_order(best)),
        heading=words.say("Play of the last round"),
        text=words.combination(best),
        name=Name(
            plain_name(state, seat, words),
            words.say("Player {number}", number=words.say.number(seat + 1)),
        ),
        team=_team(state, seat),
    )


def _plays(state: Game) -> Sequence[tuple[Seat, Combination]]:
    """Return all plays of the last round."""
    round_ = state.round
    tricks = [*(trick.steps for trick in round_.past), round_.trick]
    return [
        (step.seat, step.combination)
        for steps in tricks
        for step in steps
        if step.combination is not None
    ]


def _worth(play: Combination) -> tuple[bool, int, int]:
    return play.is_bomb, play.size, play.key
