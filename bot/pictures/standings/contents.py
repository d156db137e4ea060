"""Computes the picture of the standings of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.club.competition import EntrantNumber, Line, Match, TieBreak
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS, league
from bot.club.formats.knock_out import winner_of
from bot.club.formats.turns import Turns, turns_of
from bot.pictures.descriptions import Name
from bot.pictures.standings.scene import Bracket, Column, Row, Slot, Standings, StandingsTable, Tree
from bot.text import Say
from bot.text.people import person_name

MOST_ROUNDS: Final = 4
"""Most rounds of a bracket, which then begins with sixteen pairs."""
MOST_ROWS: Final = 16
"""Most rows of a table."""
MOST_IN_CROSS_TABLE: Final = 10
"""Most pairs in a cross table."""
_SIGNS: Final[dict[TieBreak, str]] = {"direct": "DE", "buchholz": "BH", "points": "±"}
"""Headings of tie-breaks; letters are the abbreviations of FIDE."""


def standings_scene(event: ClubEvent, say: Say) -> Standings | None:
    """Return the picture of the standings, `None` while there is nothing to show.

    A bracket is shown once its first round is drawn, and a table after the first result. Brackets
    of more than sixteen pairs begin with the round of sixteen. Several divisions have no picture.
    """
    settings = event.settings
    if not settings.is_tournament or not event.rounds:
        return None
    if league.division_count(event.competition) > 1:
        return None
    if settings.format == "knock-out":
        return _bracket(event, say)
    results = [match.result for round_ in event.rounds for match in round_.matches]
    if all(result is None or result.ending == "bye" for result in results):
        return None
    return _table(event, say)


def _round_name(event: ClubEvent, say: Say) -> str:
    last = len(event.rounds)
    if event.settings.format == "league":
        return say("Week {week} of {weeks}", week=say.number(event.week), weeks=say.number(last))
    planned = max(last, FORMATS[event.settings.format].length(event.competition))
    return say("Round {round} of {rounds}", round=say.number(last), rounds=say.number(planned))


def _title(event: ClubEvent, say: Say) -> Name:
    return Name(event.settings.title, say("Standings"))


def _names(event: ClubEvent, number: EntrantNumber, say: Say) -> tuple[Name, ...]:
    """Return the names of an entrant; “Player 3” replaces one that the fonts cannot write."""
    people = (event.people[each] for each in event.entrants[number - 1].people)
    return tuple(
        Name(
            person_name(say, each.name, each.user_id, each.number - 1),
            say("Player {number}", number=say.number(each.number)),
        )
        for each in people
    )


# --- the bracket ---------------------------------------------------------------------------------


def _bracket(event: ClubEvent, say: Say) -> Bracket | None:
    """Return the bracket; `None` before its first round is drawn."""
    competition = event.competition
    length = FORMATS["knock-out"].length(competition)
    rounds = [
        matches[: 2 ** (length - number)]  # without the match for the third place
        for number, matches in enumerate(competition.rounds, start=1)
    ][max(0, length - MOST_ROUNDS) :]
    if not rounds:
        return None
    third = competition.rounds[-1][1:] if len(competition.rounds) == length else ()
    return Bracket(
        title=_title(event, say),
        round=_round_name(event, say),
        tree=_tree(event, _in_tree_order(rounds), say),
        third_place=say("Match for the third place"),
        third=_tree(event, [third], say) if third else None,
    )


def _in_tree_order(rounds: Sequence[Sequence[Match]]) -> list[Sequence[Match]]:
    """Return the rounds so that neighbouring matches lead to the same match of the next round.

    They are not drawn that way if the organiser has exchanged entrants of a later round.
    """
    ordered = [rounds[-1]]
    for matches in reversed(rounds[:-1]):
        last = {side[0]: place for place, match in enumerate(matches) for side in match.sides}
        places = [[last[side[0]] for side in match.sides] for match in ordered[0]]
        # A match whose winner has withdrawn leads to one with a single side.
        spare = iter(sorted({*range(len(matches))} - {each for two in places for each in two}))
        for two in places:
            two += [next(spare) for _ in range(2 - len(two))]
        ordered.insert(0, [matches[each] for two in places for each in sorted(two)])
    return ordered


def _tree(event: ClubEvent, rounds: Sequence[Sequence[Match]], say: Say) -> Tree:
    """Return the slots of these rounds, and the empty ones of the rounds after them."""
    tree = list[tuple[Slot | None, ...]]()
    numbers: list[EntrantNumber | None] = []
    for match in rounds[0]:
        sides = [side[0] for side in match.sides]
        numbers += [*sorted(sides), None][:2]
    for matches in rounds:
        tree.append(
            tuple(
                _slot(event, matches[place // 2], number, say)
                for place, number in enumerate(numbers)
            )
        )
        numbers = [None if match.result is None else winner_of(match) for match in matches]
    tree.append(
        tuple(
            Slot()
            if number is None
            else Slot(
                names=_names(event, number, say), outcome="open" if len(numbers) > 1 else "won"
            )
            for number in numbers
        )
    )
    while len(tree[-1]) > 1:
        tree.append((Slot(),) * (len(tree[-1]) // 2))
    return tuple(tree)


def _slot(event: ClubEvent, match: Match, number: EntrantNumber | None, say: Say) -> Slot | None:
    """Return the slot of an entrant in a match, `None` for the opponent of a bye."""
    if number is None:
        return None
    names, result = _names(event, number, say), match.result
    sides = [side[0] for side in match.sides]
    if number not in sides:  # withdrawn before the match
        return Slot(names=names, outcome="lost")
    if result is None:
        return Slot(names=names)
    played = result.ending == "played"
    return Slot(
        names=names,
        total=say.number(result.totals[sides.index(number)]) if played else "",
        outcome="won" if winner_of(match) == number else "lost",
    )


# --- the table -----------------------------------------------------------------------------------


def _table(event: ClubEvent, say: Say) -> StandingsTable:
    """Return the table; that of a small round robin has cells for the cross table."""
    rules, competition = FORMATS[event.settings.format], event.competition
    lines = rules.standings(competition)
    meet_all = event.settings.format in ("round-robin", "league")
    has_cells = meet_all and len(lines) <= MOST_IN_CROSS_TABLE
    order = [each.entrant for each in lines] if has_cells else []
    turns = turns_of(competition)
    words: dict[TieBreak, str] = {
        "direct": say("direct encounter"),
        "buchholz": say("Buchholz"),
        "points": say("points"),
    }
    in_percent = event.settings.format == "duplicate"
    # Translators: the wins and half the draws, in the standings of a tournament
    score = Column(sign="%" if in_percent else "Σ", word=say("score"))
    others = len(lines) - MOST_ROWS
    return StandingsTable(
        title=_title(event, say),
        round=_round_name(event, say),
        columns=(
            score,
            *(Column(sign=_SIGNS[each], word=words[each]) for each in rules.tie_breaks),
        ),
        rows=tuple(
            Row(
                place=say.number(each.place),
                names=_names(event, each.entrant, say),
                values=_values(each, rules.tie_breaks, say, in_percent=in_percent),
                won=event.status == "over" and each.place == 1,
                withdrawn=event.entrants[each.entrant - 1].withdrawn,
                cells=tuple(_cell(turns, each.entrant, other, say) for other in order),
            )
            for each in lines[:MOST_ROWS]
        ),
        more=say.many("{n} other", "{n} others", others) if others > 0 else "",
    )


def _values(
    line: Line, tie_breaks: tuple[TieBreak, ...], say: Say, *, in_percent: bool
) -> tuple[str, ...]:
    """Return the score and the tie-breaks."""
    score = say.decimal(round(float(100 * line.score), 1)) if in_percent else None
    return (
        score or _halves(line.score, say),
        *(
            say.signed(int(value)) if name == "points" else _halves(value, say)
            for name, value in zip(tie_breaks, line.tie_breaks, strict=True)
        ),
    )


def _halves(value: Fraction, say: Say) -> str:
    """Return a multiple of one half, such as 2½."""
    whole, half = divmod(value, 1)
    return f"{say.number(whole) if whole or not half else ''}{'½' if half else ''}"


def _cell(turns: Turns, number: EntrantNumber, other: EntrantNumber, say: Say) -> str:
    """Return the score against an opponent in all matches; empty before the first."""
    scores = [
        turn.score
        for turn in turns[number]
        if turn.opponent == other and turn.ending in ("played", "forfeit")
    ]
    return _halves(sum(scores, Fraction()), say) if scores else ""
