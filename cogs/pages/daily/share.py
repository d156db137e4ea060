"""The line that **Share** posts: a result of the deal of the day, without spoilers."""

from __future__ import annotations

from bot.board_records import Comparison
from bot.text.cards import Speaker
from engine import Points, RoundResult, Seat
from players.boards import PERSON

_GOOD, _MIDDLING, _BAD, _OPEN = "🟩", "🟨", "⬛", "⬜"
_PARTNER: Seat = 2


def result_line(
    number: int,
    result: RoundResult,
    comparison: Comparison,
    expert: Points | None,
    words: Speaker,
) -> str:
    """Return the public line about the result of a daily deal.

    `expert` are the points of the Expert in the same seat, or `None` while it still plays.
    """
    say = words.say
    points = result.score[0] - result.score[1]
    # Translators: the public line of a shared result; {number} is that of the deal of the day
    parts = [
        say("Tichu daily {number}", number=number),
        say.signed(points),
        squares(result, expert),
    ]
    if (share := comparison.share) is not None:
        # Translators: ends the public line of a shared result: share of others who did worse
        parts.append(say("beat {share}", share=say.percent(share)))
    elif comparison.equal and not comparison.worse:
        equal, others = comparison.equal, comparison.others
        # Translators: as “beat {worse} of {others}”, if nobody did worse: {equal} got the same
        parts.append(say("tied with {equal} of {others}", equal=equal, others=others))
    elif comparison.others:
        # Translators: as “beat {share}”, with few others: {worse} of them did worse
        beaten = say("beat {worse} of {others}", worse=comparison.worse, others=comparison.others)
        parts.append(beaten)
    return " · ".join(parts)


def squares(result: RoundResult, expert: Points | None) -> str:
    """Return four squares about the round; `docs/daily.md` explains them.

    They are: who went out first (the reader, their partner, an opponent), points for cards (more
    than the opponents, as many, fewer), the reader's call (made, none, failed), and the points
    beside the Expert's (more, as many, fewer, not known yet).
    """
    first = {PERSON: _GOOD, _PARTNER: _MIDDLING}.get(result.out[0], _BAD)
    made = next((made for seat, _, made in result.calls if seat == PERSON), None)
    call = {True: _GOOD, None: _MIDDLING, False: _BAD}[made]
    own, others = result.score
    beside = _OPEN if expert is None else _square(own - others - expert)
    return first + _square(result.cards[0] - result.cards[1]) + call + beside


def _square(difference: Points) -> str:
    """Return the square of a difference of points."""
    if difference == 0:
        return _MIDDLING
    return _GOOD if difference > 0 else _BAD
