"""The parts of the hand page where something is chosen: plays, cards, exchange, wish, gift."""

from __future__ import annotations

import discord

from bot.table import TableState
from bot.text.cards import Speaker
from cogs.controls import Controls, Part, option, row, text
from cogs.plays import MOST_OFFERED, chosen_readings, offered, write_choice
from engine.actions import GiveTrick
from engine.cards import RANKS, card_text, indices, read_card, sort_key
from engine.combinations import Combination
from engine.state import Seating
from engine.view import View

_NO_GIFT = "-"


def play_rows(view: View, make: Controls, to: Speaker, chosen: int) -> list[Part]:
    """The select of natural plays, the free choice of cards, and what was recognised in it."""
    say = to.say
    plays = offered(view)
    rows = [
        make.select(
            "play",
            say("Play…"),
            [_play_option(play, to) for play in plays],
        ),
        make.select(
            "cards",
            say("Choose cards"),
            [_card_option(card, to, bool(chosen >> card & 1)) for card in _sorted(view.hand.cards)],
            most=min(view.hand.size, MOST_OFFERED),
        ),
    ]
    if chosen:
        found = chosen_readings(view, chosen)
        if found:
            rows.append(row(*(_play_button(play, make, to) for play in found[:5])))
        else:
            rows.append(text(say("{cards} cannot be played now.", cards=to.cards(chosen))))
    return rows


def _sorted(cards: int) -> list[int]:
    return sorted(indices(cards), key=sort_key)


def _play_option(play: Combination, to: Speaker) -> discord.SelectOption:
    first = _sorted(play.cards)[-1]
    return option(
        to.combination(play),
        write_choice(play.cards, play.phoenix),
        description=_plain(play.cards, to),
        emoji=to.art.card_emoji(card_text(first)),
    )


def _play_button(play: Combination, make: Controls, to: Speaker) -> Part:
    return make.button(
        "play",
        to.say("Play: {combination}", combination=to.combination(play)),
        write_choice(play.cards, play.phoenix),
        style=discord.ButtonStyle.success,
    )


def _plain(cards: int, to: Speaker) -> str:
    """Cards in plain text, for places that show no pictures."""
    return " ".join(to.plain_card(card) for card in _sorted(cards))


def _card_option(card: int, to: Speaker, chosen: bool) -> discord.SelectOption:
    return option(
        to.card_name(card),
        card_text(card),
        emoji=to.art.card_emoji(card_text(card)),
        default=chosen,
    )


def bomb_rows(
    bombs: tuple[Combination, ...], target: str, make: Controls, to: Speaker
) -> list[Part]:
    """Which bomb?"""
    options = [
        option(to.combination(bomb), f"{bomb.cards:x}", description=_plain(bomb.cards, to))
        for bomb in bombs[:MOST_OFFERED]
    ]
    return [make.select("bomb", to.say("Which bomb?"), options, target)]


def wish_rows(make: Controls, to: Speaker, play: tuple[int, tuple[int, ...]]) -> list[Part]:
    """The wish that goes with the Mah Jong (2 to A, or none)."""
    say = to.say
    options = [option(say("No wish"), "none")]
    options += [option(say("Wish: {rank}", rank=to.rank(rank)), str(rank)) for rank in RANKS]
    return [
        text(say("You play {cards}. What do you wish for?", cards=to.cards(play[0]))),
        make.select("wish", say("Your wish…"), options, write_choice(*play)),
        row(make.button("refresh", say("Something else"))),
    ]


def gift_row(state: TableState, gifts: list[GiveTrick], make: Controls, to: Speaker) -> Part:
    """One button for each possible receiver of the Dragon's trick."""
    return row(
        *(
            make.button(
                "gift",
                to.say("To {name}", name=state.chairs[gift.to].name),
                str(gift.to),
                style=discord.ButtonStyle.primary,
            )
            for gift in gifts[:5]
        )
    )


def exchange_rows(
    state: TableState,
    seat: int,
    view: View,
    make: Controls,
    to: Speaker,
    gifts: dict[int, int],
) -> list[Part]:
    """One select for each receiver, and Give once all are chosen."""
    say = to.say
    picked = gifts or {receiver: cards.bit_length() - 1 for receiver, cards in view.given or ()}
    args = write_gifts(view.gives_to, picked)
    rows: list[Part] = []
    for place, receiver in enumerate(view.gives_to):
        options = [
            _card_option(card, to, picked.get(receiver) == card)
            for card in _sorted(view.hand.cards)
        ]
        placeholder = say(
            "For {name} ({relation})",
            name=state.chairs[receiver].name,
            relation=relation(view.seating, seat, receiver, to),
        )
        rows.append(make.select(f"card-{'abcdefghijkl'[place]}", placeholder, options, args))
    complete = len(picked) == len(view.gives_to) and len(set(picked.values())) == len(picked)
    if len(set(picked.values())) != len(picked):
        rows.append(text(say("Each of the others must get a different card.")))
    rows.append(
        row(
            make.button(
                "give",
                say("Give"),
                args,
                style=discord.ButtonStyle.success,
                disabled=not complete,
            )
        )
    )
    return rows


def relation(seating: Seating, seat: int, other: int, to: Speaker) -> str:
    """What another seat is to this one: partner, next or previous player."""
    say = to.say
    if other in seating.partners(seat):
        return say("your partner")
    order = seating.after(seat)
    if order[0] == other:
        return say("plays after you")
    if order[-2] == other:
        return say("plays before you")
    return say("opponent")


def write_gifts(receivers: tuple[int, ...], picked: dict[int, int]) -> str:
    """The exchange so far as text for a button: a card or ``-`` for each receiver in order."""
    return ",".join(
        card_text(picked[receiver]).replace("#", "_") if receiver in picked else _NO_GIFT
        for receiver in receivers
    )


def read_gifts(receivers: tuple[int, ...], args: str) -> dict[int, int]:
    """What `write_gifts` wrote; `NotationError` for cards that are none."""
    return {
        receiver: read_card(card.replace("_", "#"))
        for receiver, card in zip(receivers, args.split(","), strict=False)
        if card and card != _NO_GIFT
    }
