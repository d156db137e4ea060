"""Short public lines about calls, bombs, and people who come and go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table.posts import AwayLine, BombLine, CallLine, Line, WithdrawnLine
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.people import mention, visible_name
from cogs.pages.names import safe, seat_name
from engine import Call, read_cards, readings


def announcements(state: Game, lines: Sequence[Line], words: Speaker) -> Iterator[str]:
    """Yield the text of each line, as shown in the table's channel."""
    for line in lines:
        yield _announcement(state, line, words)
        if isinstance(line, CallLine) and line.reopened:
            yield "-# " + words.say("New call – everyone passes their cards again.")


def _announcement(state: Game, line: Line, words: Speaker) -> str:
    """Return the text of one announcement."""
    say, name = words.say, f"**{seat_name(state, line.seat, words)}**"
    if isinstance(line, CallLine):
        if line.grand:
            return f"{words.art.icon('grand')} " + say("{name} calls **Grand Tichu!**", name=name)
        return f"{words.art.icon('tichu')} " + say("{name} calls **Tichu!**", name=name)
    if isinstance(line, WithdrawnLine):
        return say(
            "{name} withdraws their {call}.",
            name=name,
            call=words.call_within(Call.GRAND if line.grand else Call.TICHU),
        )
    if isinstance(line, BombLine):
        bomb = next(each for each in readings(read_cards(line.cards)) if each.is_bomb)
        return f"{words.art.icon('bomb')} " + say(
            "{name} bombs: {cards}", name=name, cards=words.combination_cards(bomb)
        )
    if isinstance(line, AwayLine):
        return say(
            "{name} is away – a computer plays until they're back.",
            name=name,
        )
    former = visible_name(say, line.before, line.seat) or say("Former player")
    other = f"**{safe(former)}**"
    if line.waited is not None:  # mention a person who has waited for the seat
        name = mention(line.waited)
    if state.chairs[line.seat].kind != "computer":
        return say("{name} takes over {other}'s seat.", name=name, other=other)
    icon = words.art.icon("computer")
    return say(
        "A computer takes over {other}'s seat: {icon} {name}.", other=other, icon=icon, name=name
    )
