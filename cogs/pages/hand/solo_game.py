"""Parts of the hand page of a solo game: its line, the computers' plays, its own buttons."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bot.ids import Revision
from bot.table.solo_game import SoloGame
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import seat_emoji
from cogs.pages.controls import Controls, Page, Part, button_rows, row, text
from cogs.pages.names import board_name, seat_name
from cogs.pages.table.page import step_text, trick_end
from cogs.pages.verbs import Verb
from engine import Call, Seat, TrickStep


def solo_lines(state: SoloGame, seat: Seat, words: Speaker) -> Part:
    """Return the line that says what is played, and what the computers did since the last play."""
    lines = (f"-# {_heading(state, words)}", *_computer_plays(state, seat, words))
    return text("\n".join(lines))


def _heading(state: SoloGame, words: Speaker) -> str:
    """Return the name of the deal, and whether the round counts."""
    say = words.say
    if state.kind == "challenge":
        return say("Challenge · deal {number} of 4", number=say.number(state.number))
    counts = say("counts for nobody") if state.practice else say("one try")
    return f"{board_name(state, words)} · {counts}"


def _computer_plays(state: Game, seat: Seat, words: Speaker) -> Iterator[str]:
    """Yield all plays, passes and calls since the last play of this seat, a line for each trick.

    A pass of this seat is a play, too.
    """
    public = state.views.public
    lines: list[str] = []
    for steps, end in (
        *(
            (each.steps, trick_end(state, each.winner, each.given_to, words))
            for each in public.past
        ),
        (public.trick, ""),
    ):
        texts: list[str] = []
        for step in steps:
            if step.seat == seat:
                lines, texts = [], []
            else:
                texts += _step(state, step, words)
        lines.append(" · ".join(filter(None, (*texts, end))))
    yield from (f"-# {each}" for each in lines if each)


def _step(state: Game, step: TrickStep, words: Speaker) -> Iterator[str]:
    """Yield a play or pass, after the call before a first play, with the place of who is out."""
    public, seat = state.views.public, step.seat
    steps = chain(*(trick.steps for trick in public.past), public.trick)
    plays = [each for each in steps if each.seat == seat and each.combination is not None]
    if plays and step is plays[0] and public.seats[seat].call is Call.TICHU:
        name = seat_name(state, seat, words)
        yield f"{words.art.icon('tichu')} " + words.say("{name} calls **Tichu!**", name=name)
    place = public.seats[seat].place
    is_last = place is not None and step is plays[-1]
    out = f" {words.art.icon('out')}{place}" if is_last else ""
    yield f"{seat_emoji(public, seat)}\u00a0{step_text(state, step, words)}{out}"


def solo_row(state: SoloGame, words: Speaker) -> Part:
    """Return the buttons for the log of the round, and away from the hand."""
    say = words.say
    log = Controls(state.id, Revision(0)).button(Verb.SOLO_LOG, say("Full log"))
    return row(log, *_way_back(state, words))


def solo_over_page(state: SoloGame, words: Speaker) -> Page:
    """Return the page of a hand whose round is over, which offers the result."""
    return Page(text(words.say("The round is over.")), *button_rows(list(_way_back(state, words))))


def _way_back(state: SoloGame, words: Speaker) -> Iterator[Part]:
    """Yield the button to the page about the deal."""
    if state.kind == "daily":
        label = words.say("Deal of the day")
        yield Controls().button(Verb.DAILY, label, emoji="🗓️")
    else:
        yield Controls().button(Verb.CHALLENGES, words.say("My challenges"), emoji="⚔️")
