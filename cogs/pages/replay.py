"""A finished round, position by position: as everybody saw it, or with all hands open. Private.

Where one is stands in the buttons: round, place among the positions, and what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import discord

from bot.history.replay_cache import Replay
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, number, option, row, text
from cogs.pages.event_text import last_moves
from cogs.pages.names import seat_name
from cogs.pages.result import hierarchy, scores, story
from cogs.pages.table import in_turn_order, middle, open_cards, seat_line, totals
from cogs.pages.verbs import Verb
from engine.cards import indices, points_of, sort_key
from engine.errors import NotationError
from engine.state import Round
from engine.view import View, view

MOST_CHARACTERS = 3900
"""What fits into one message (Discord allows 4,000)."""
FORMATS = ("txt", "json", "tch")
"""Files that can be saved; the last one is only for Nanjing."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where somebody is in a match: round, place of the position, all hands open or not."""

    number: int
    place: int = 0
    opened: bool = False

    def written(self, button: str) -> str:
        """As it stands in the id of a button; `button` tells apart those that lead to the same."""
        return f"{self.number}.{self.place}.{'open' if self.opened else 'public'}.{button}"


def read_spot(said: str) -> Spot:
    """The spot in the id of a button; `NotationError` for a forged one."""
    parts = said.split(".")
    if len(parts) != 4 or parts[2] not in ("open", "public"):
        raise NotationError("not a spot")
    return Spot(number(parts[0]), number(parts[1]), parts[2] == "open")


def replay_page(replay: Replay, spot: Spot, to: Speaker) -> Page:
    """One position with the buttons to all others; a place behind the end is the last one."""
    last = len(replay.played.positions) - 1
    spot = Spot(spot.number, min(spot.place, last), spot.opened)
    for pictures, moves in ((True, 6), (False, 6), (False, 2), (False, 0)):
        blocks = list(_blocks(replay, spot, to, pictures=pictures, moves=moves))
        if sum(map(len, blocks)) <= MOST_CHARACTERS:
            break
    parts: list[Part] = [text(blocks[0])]
    for block in blocks[1:]:
        parts += [line(), text(block)]
    return Page(*parts, *_controls(replay, spot, to))


def _blocks(
    replay: Replay, spot: Spot, to: Speaker, *, pictures: bool, moves: int
) -> Iterator[str]:
    """The texts of the page; without pictures the cards of hands are written."""
    state, positions = replay.at(spot.place), replay.played.positions
    seen = view(state.match, None)
    yield _head(replay, spot, seen, to)
    seats = []
    for seat in in_turn_order(seen):
        seats.append(seat_line(state, seen, seat, to) + _gathered(state.round, seat, to))
        hand = state.round.hands[seat].cards
        if spot.opened and hand:
            seats.append(to.cards(hand) if pictures else _plain(hand, to))
    yield "\n".join(seats)
    if spot.opened:
        if not seen.past and any(state.round.opening.received):
            yield "\n".join(_exchange(state, state.round, to))
    else:
        yield from open_cards(state, seen, to)
    over = spot.place == len(positions) - 1
    yield _end(replay, state, to) if over else middle(state, seen, to)
    recent = " · ".join(last_moves(state, positions[: spot.place + 1], moves, to))
    yield "\n".join(f"-# {words}" for words in (recent, _proven(replay, to)) if words)


def _head(replay: Replay, spot: Spot, seen: View, to: Speaker) -> str:
    say = to.say
    head = say(
        "### Replay of round {round} at table {table}", round=spot.number, table=replay.table.id
    )
    over = spot.place == len(replay.played.positions) - 1
    trick = len(seen.past) + (0 if over else 1)
    where = [
        to.variant(replay.table.options.variant),
        say(
            "move {number} of {all}",
            number=say.number(spot.place + 1),
            all=say.number(len(replay.played.positions)),
        ),
        say("trick {number}", number=say.number(trick)),
        say("all hands are open") if spot.opened else say("as everybody saw it"),
        say("dealer: {name}", name=seat_name(replay.at(spot.place), seen.dealer, to)),
    ]
    lines = [head, "-# " + " · ".join(where)]
    if seen.totals:
        lines.append(totals(replay.at(spot.place), seen, to))
    return "\n".join(lines)


def _gathered(round_: Round, seat: int, to: Speaker) -> str:
    """The card points in the tricks that a seat has gathered."""
    if not round_.piles[seat]:
        return ""
    points = points_of(round_.piles[seat])
    return " · " + to.say.many("{n} point gathered", "{n} points gathered", points)


def _plain(cards: int, to: Speaker) -> str:
    return " ".join(to.plain_card(card) for card in sorted(indices(cards), key=sort_key))


def _exchange(state: Game, round_: Round, to: Speaker) -> Iterator[str]:
    """Who gave whom which cards."""
    yield to.say("Cards that were passed:")
    for giver, gifts in enumerate(round_.opening.given):
        if gifts:
            given = (f"{seat_name(state, seat, to)} {_plain(cards, to)}" for seat, cards in gifts)
            yield f"-# **{seat_name(state, giver, to)}** → {', '.join(given)}"


def _end(replay: Replay, state: Game, to: Speaker) -> str:
    """How the round ended."""
    if not state.match.variant.scored:
        return hierarchy(state, to)
    result = replay.played.result
    return "\n".join(part for part in (story(state, result, to), scores(state, result, to)) if part)


def _proven(replay: Replay, to: Speaker) -> str:
    """Whether the cards were dealt as the secret says."""
    say, found = to.say, replay.proof
    if found.deal is None:
        return say("This deal was not made from a secret, so there is nothing to check.")
    if found.as_dealt:
        return "✅ " + say("The deal was made from the secret that was fixed before.")
    return "❌ " + say("The deal was not made from the secret that was fixed before.")


def _controls(replay: Replay, spot: Spot, to: Speaker) -> Iterator[Part]:
    say, make, played = to.say, Controls(replay.table.id, 0), replay.played
    last = len(played.positions) - 1

    def go(label: str, button: str, place: int) -> Part:
        """To another place; nowhere where one is already."""
        there = Spot(spot.number, place, spot.opened).written(button)
        return make.button(Verb.REPLAY, label, there, disabled=place == spot.place)

    yield row(
        go("⏮", "first", 0),
        go("◀", "back", max(spot.place - 1, 0)),
        go("▶", "on", min(spot.place + 1, last)),
        go("⏭", "last", last),
    )
    turned = Spot(spot.number, spot.place, not spot.opened).written("turn")
    yield row(
        go("⏪", "trick-back", played.trick_before(spot.place)),
        go("⏩", "trick-on", played.trick_after(spot.place)),
        make.button(
            Verb.REPLAY,
            say("As everybody saw it") if spot.opened else say("Open all hands"),
            turned,
            style=discord.ButtonStyle.primary,
        ),
        make.button(Verb.PROOF, say("Proof of the deal"), str(spot.number)),
        make.button(Verb.MATCH, say("All rounds"), "0"),
    )
    names = {
        "txt": (say("This round as text"), say("The whole match as text")),
        "json": (say("This round as JSON"), say("The whole match as JSON")),
        "tch": (
            say("This round as a log of BrettspielWelt"),
            say("The whole match as a log of BrettspielWelt"),
        ),
    }
    formats = FORMATS if replay.table.options.variant == "nanjing" else FORMATS[:-1]
    files = [
        option(label, f"{form}.{which}")
        for form in formats
        for label, which in zip(names[form], ("round", "match"), strict=True)
    ]
    yield make.select(Verb.SAVE, say("Save as a file…"), files, str(spot.number))
