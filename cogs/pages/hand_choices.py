"""The parts of the hand page where something is chosen: plays, cards, exchange, wish, gift, Dog."""

from __future__ import annotations

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.titles import title
from cogs.pages.controls import Controls, Part, option, row, text
from cogs.pages.names import plain_name, seat_name
from cogs.pages.play_choices import MOST_OFFERED, chosen_readings, offered, write_choice
from cogs.pages.verbs import CARD_VERBS, Verb
from engine.actions import GiveTrick
from engine.cards import RANKS, card_text, indices, read_cards, sort_key
from engine.combinations import Combination
from engine.variants import Gift
from engine.view import View

_NO_GIFT = "-"


def play_rows(view: View, make: Controls, to: Speaker, chosen: int) -> list[Part]:
    """The select of natural plays, the free choice of cards, and what was recognised in it."""
    say = to.say
    plays = offered(view)
    rows = [
        make.select(
            Verb.PLAY,
            say("Play…"),
            [_play_option(play, to) for play in plays],
        ),
        make.select(
            Verb.CARDS,
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
        Verb.PLAY,
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
    return [make.select(Verb.BOMB, to.say("Which bomb?"), options, target)]


def wish_rows(make: Controls, to: Speaker, play: tuple[int, tuple[int, ...]]) -> list[Part]:
    """The wish that goes with the Mah Jong (2 to A, or none)."""
    say = to.say
    options = [option(say("No wish"), "none")]
    options += [option(say("Wish: {rank}", rank=to.rank(rank)), str(rank)) for rank in RANKS]
    return [
        text(say("You play {cards}. What do you wish for?", cards=to.cards(play[0]))),
        make.select(Verb.WISH, say("Your wish…"), options, write_choice(*play)),
        row(make.button(Verb.REFRESH, say("Something else"))),
    ]


def gift_row(state: Game, gifts: list[GiveTrick], make: Controls, to: Speaker) -> Part:
    """One button for each possible receiver of the Dragon's trick."""
    return row(
        *(
            make.button(
                Verb.GIFT,
                to.say("To {name}", name=plain_name(state, gift.to, to)),
                str(gift.to),
                style=discord.ButtonStyle.primary,
            )
            for gift in gifts[:5]
        )
    )


def dog_row(state: Game, targets: tuple[int, ...], make: Controls, to: Speaker) -> Part:
    """One button for each partner who may get the lead (S6)."""
    return row(
        *(
            make.button(
                Verb.DOG,
                to.say("To {name}", name=plain_name(state, seat, to)),
                str(seat),
                style=discord.ButtonStyle.primary,
            )
            for seat in targets
        ),
        make.button(Verb.REFRESH, to.say("Something else")),
    )


def exchange_rows(
    state: Game,
    seat: int,
    view: View,
    make: Controls,
    to: Speaker,
    gifts: dict[int, int],
) -> list[Part]:
    """One select for each receiver (where there is a choice), and Give once all are chosen."""
    say = to.say
    picked = {gift.to: gift.forced for gift in view.gifts} | (gifts or dict(view.given or ()))
    args = write_gifts(view.gifts, picked)
    rows: list[Part] = []
    for place, gift in enumerate(view.gifts):
        chosen, number = picked[gift.to], gift.number - gift.forced.bit_count()
        name = f"**{seat_name(state, gift.to, to)}** ({relation(view, seat, gift.to, to)})"
        if gift.forced:
            cards = to.cards(gift.forced)
            rows.append(text(say("Your best cards go to {name}: {cards}", name=name, cards=cards)))
        else:  # the select itself shows only the card, once it is chosen
            rows.append(text(say("You give {name}:", name=name)))
        if not number:
            continue
        options = [_card_option(card, to, bool(chosen >> card & 1)) for card in _sorted(gift.free)]
        placeholder = say.many("Choose {n} card", "Choose {n} cards", number)
        verb = CARD_VERBS[place]
        rows.append(make.select(verb, placeholder, options, args, least=number, most=number))
    counts = [picked[gift.to].bit_count() == gift.number for gift in view.gifts]
    given = [cards for cards in picked.values() if cards]
    twice = sum(cards.bit_count() for cards in given) != _union(given).bit_count()
    if twice:
        rows.append(text(say("Each of the others must get a different card.")))
    if view.given is not None and not any(gift.free for gift in view.gifts):
        return rows  # given, and nothing to choose differently
    rows.append(
        row(
            make.button(
                Verb.GIVE,
                say("Give"),
                args,
                style=discord.ButtonStyle.success,
                disabled=twice or not all(counts),
            )
        )
    )
    return rows


def _union(sets: list[int]) -> int:
    found = 0
    for cards in sets:
        found |= cards
    return found


def relation(view: View, seat: int, other: int, to: Speaker) -> str:
    """What a receiver of cards is to this seat: its title, partner, next or previous player."""
    say = to.say
    if view.hierarchy:
        return title(say, view.hierarchy.index(other), len(view.hierarchy))
    if other in view.seating.partners(seat):
        return say("your partner")
    order = view.seating.after(seat)  # where cards go to opponents, there are just these two
    return say("plays after you") if order[0] == other else say("plays before you")


def write_gifts(gifts: tuple[Gift, ...], picked: dict[int, int]) -> str:
    """The exchange so far as text for a button: for each receiver in order its cards or ``-``."""
    return ",".join(
        ".".join(card_text(card).replace("#", "_") for card in indices(picked.get(gift.to, 0)))
        or _NO_GIFT
        for gift in gifts
    )


def read_gifts(gifts: tuple[Gift, ...], args: str) -> dict[int, int]:
    """What `write_gifts` wrote: receiver to set of cards; `NotationError` for no cards."""
    return {
        gift.to: read_cards(cards.replace("_", "#").replace(".", " "))
        for gift, cards in zip(gifts, args.split(","), strict=False)
        if cards and cards != _NO_GIFT
    }
