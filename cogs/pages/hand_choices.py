"""Choices on the hand page: the draft of one, and the rows in which it is made.

Plays and free cards, bombs, the wish, the exchange, who gets the Dragon's trick or the Dog's lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.titles import title
from cogs.pages.controls import Controls, Part, option, row, text
from cogs.pages.names import plain_name, seat_name
from cogs.pages.play_choices import MOST_OFFERED, chosen_readings, offered, write_choice
from cogs.pages.verbs import CARD_VERBS, Verb
from engine import (
    RANKS,
    Card,
    CardSet,
    Combination,
    Gift,
    GiveTrick,
    Rank,
    Seat,
    View,
    card_text,
    indices,
    read_cards,
    sort_key,
)

_NO_GIFT = "-"
"""What stands in a button for a receiver for whom no cards are chosen."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A choice that a player has begun on the hand page and not sent yet.

    The bot does not keep it: it is written into the ids of the buttons, and every click returns it.
    """

    note: str = field(default="", repr=False)
    """A sentence to be shown on top of the page, such as the reason for a refusal."""
    chosen: CardSet = field(default=0, repr=False)
    """The set of cards chosen so far for a play."""
    gifts: dict[Seat, CardSet] = field(default_factory=dict, repr=False)
    """The exchange so far: receiver -> set of cards."""
    wish_for: tuple[CardSet, tuple[Rank, ...]] | None = field(default=None, repr=False)
    """A play that still needs its wish: the set of its cards, and what its Phoenix stands for."""
    confirm_tichu: bool = False
    """Whether the page asks if Tichu shall really be called."""
    bombs: tuple[Combination, ...] = field(default=(), repr=False)
    """The bombs of which one is to be chosen."""
    dog: bool = False
    """Whether the page asks which partner gets the lead from the Dog."""
    seat: Seat | None = None
    """The seat that the page is for, where its player decides for two."""


def play_rows(view: View, controls: Controls, words: Speaker, chosen: CardSet) -> list[Part]:
    """The select of natural plays, the select of single cards, and what the chosen cards make.

    `chosen` is the set of cards that the reader has chosen so far.
    """
    say = words.say
    rows = [
        controls.select(
            Verb.PLAY,
            say("Play…"),
            [_play_option(play, words) for play in offered(view)],
        ),
        controls.select(
            Verb.CARDS,
            say("Choose cards"),
            _card_options(view.hand.cards, chosen, words),
            most=min(view.hand.size, MOST_OFFERED),
        ),
    ]
    if chosen:
        plays = chosen_readings(view, chosen)
        if plays:
            rows.append(row(*(_play_button(play, controls, words) for play in plays[:5])))
        else:
            rows.append(text(say("{cards} cannot be played now.", cards=words.cards(chosen))))
    return rows


def _sorted(cards: CardSet) -> list[Card]:
    """The cards of a set, sorted as in a hand."""
    return sorted(indices(cards), key=sort_key)


def _play_option(play: Combination, words: Speaker) -> discord.SelectOption:
    """The option of a select that makes this play."""
    first = _sorted(play.cards)[-1]
    return option(
        words.combination(play),
        write_choice(play.cards, play.phoenix),
        description=_plain(play.cards, words),
        emoji=words.art.card_emoji(card_text(first)),
    )


def _play_button(play: Combination, controls: Controls, words: Speaker) -> Part:
    """The button that makes this play."""
    return controls.button(
        Verb.PLAY,
        words.say("Play: {combination}", combination=words.combination(play)),
        write_choice(play.cards, play.phoenix),
        style=discord.ButtonStyle.success,
    )


def _plain(cards: CardSet, words: Speaker) -> str:
    """Cards in plain text, for places that show no pictures."""
    return " ".join(words.plain_card(card) for card in _sorted(cards))


def _card_options(cards: CardSet, chosen: CardSet, words: Speaker) -> list[discord.SelectOption]:
    """An option of a select for each of these cards; those in the set `chosen` are marked."""
    return [
        option(
            words.card_name(card),
            card_text(card),
            emoji=words.art.card_emoji(card_text(card)),
            default=bool(chosen >> card & 1),
        )
        for card in _sorted(cards)
    ]


def bomb_rows(
    bombs: tuple[Combination, ...], target: str, controls: Controls, words: Speaker
) -> list[Part]:
    """The select with the bombs; `target` is the play that they are to beat."""
    options = [
        option(words.combination(bomb), f"{bomb.cards:x}", description=_plain(bomb.cards, words))
        for bomb in bombs[:MOST_OFFERED]
    ]
    return [controls.select(Verb.BOMB, words.say("Which bomb?"), options, target)]


def wish_rows(
    controls: Controls, words: Speaker, play: tuple[CardSet, tuple[Rank, ...]]
) -> list[Part]:
    """The select for the wish that goes with a play of the Mah Jong: 2 to A, or none."""
    say = words.say
    options = [option(say("No wish"), "none")]
    options += [option(say("Wish: {rank}", rank=words.rank(rank)), str(rank)) for rank in RANKS]
    return [
        text(say("You play {cards}. What do you wish for?", cards=words.cards(play[0]))),
        controls.select(Verb.WISH, say("Your wish…"), options, write_choice(*play)),
        row(controls.button(Verb.REFRESH, say("Something else"))),
    ]


def gift_row(state: Game, gifts: list[GiveTrick], controls: Controls, words: Speaker) -> Part:
    """A button for each opponent who may get the Dragon's trick."""
    receivers = [gift.receiver for gift in gifts[:5]]
    return row(*_seat_buttons(state, Verb.GIFT, receivers, controls, words))


def dog_row(state: Game, targets: tuple[Seat, ...], controls: Controls, words: Speaker) -> Part:
    """A button for each partner who may get the lead from the Dog (S6)."""
    back = controls.button(Verb.REFRESH, words.say("Something else"))
    return row(*_seat_buttons(state, Verb.DOG, targets, controls, words), back)


def _seat_buttons(
    state: Game, verb: Verb, seats: Sequence[Seat], controls: Controls, words: Speaker
) -> Iterator[Part]:
    """A button with the name of each of these seats."""
    for seat in seats:
        label = words.say("To {name}", name=plain_name(state, seat, words))
        yield controls.button(verb, label, str(seat), style=discord.ButtonStyle.primary)


def exchange_rows(
    state: Game,
    seat: Seat,
    view: View,
    controls: Controls,
    words: Speaker,
    gifts: dict[Seat, CardSet],
) -> list[Part]:
    """The exchange: which cards go to each receiver, and the button that gives them.

    `gifts` are the cards chosen so far: receiver -> set of cards. Before anything is chosen the
    page shows what was given, if the seat has given already.
    """
    forced = {gift.receiver: gift.forced for gift in view.gifts}
    picked = forced | (gifts or dict(view.given or ()))
    args = write_gifts(view.gifts, picked)
    rows: list[Part] = []
    for place, gift in enumerate(view.gifts):
        how = relation(view, seat, gift.receiver, words)
        name = f"**{seat_name(state, gift.receiver, words)}** ({how})"
        rows.append(text(_gift_line(gift, name, words)))
        number = gift.number - gift.forced.bit_count()
        if number:
            verb = CARD_VERBS[place]
            options = _card_options(gift.free, picked[gift.receiver], words)
            choose = words.say.many("Choose {n} card", "Choose {n} cards", number)
            rows.append(controls.select(verb, choose, options, args, least=number, most=number))
    twice = _has_overlap(picked.values())
    if twice:
        rows.append(text(words.say("Each of the others must get a different card.")))
    if view.given is not None and not any(gift.free for gift in view.gifts):
        return rows  # given, and nothing to choose differently
    complete = all(picked[gift.receiver].bit_count() == gift.number for gift in view.gifts)
    give = controls.button(
        Verb.GIVE,
        words.say("Give"),
        args,
        style=discord.ButtonStyle.success,
        disabled=twice or not complete,
    )
    return [*rows, row(give)]


def _gift_line(gift: Gift, name: str, words: Speaker) -> str:
    """The line above the select for a receiver; it names the cards that must be given."""
    if not gift.forced:  # the select itself shows the card, once it is chosen
        return words.say("You give {name}:", name=name)
    cards = words.cards(gift.forced)
    return words.say("Your best cards go to {name}: {cards}", name=name, cards=cards)


def _has_overlap(sets: Iterable[CardSet]) -> bool:
    """Whether a card is in more than one of these sets."""
    union = 0
    for cards in sets:
        if union & cards:
            return True
        union |= cards
    return False


def relation(view: View, seat: Seat, other: Seat, words: Speaker) -> str:
    """Who a receiver of cards is to this seat: a title, the partner, or the next player."""
    say = words.say
    if view.hierarchy:
        return title(say, view.hierarchy.index(other), len(view.hierarchy))
    if other in view.seating.partners(seat):
        return say("your partner")
    order = view.seating.after(seat)  # where cards go to opponents, there are just these two
    return say("plays after you") if order[0] == other else say("plays before you")


def write_gifts(gifts: tuple[Gift, ...], picked: dict[Seat, CardSet]) -> str:
    """The exchange so far as text for a button: for each receiver in order the cards, or ``-``."""
    return ",".join(
        ".".join(
            card_text(card).replace("#", "_") for card in indices(picked.get(gift.receiver, 0))
        )
        or _NO_GIFT
        for gift in gifts
    )


def read_gifts(gifts: tuple[Gift, ...], args: str) -> dict[Seat, CardSet]:
    """What `write_gifts` has written: receiver -> set of cards. Raises `NotationError`."""
    chosen = zip(gifts, read_gift_cards(args), strict=False)
    return {gift.receiver: cards for gift, cards in chosen if cards}


def read_gift_cards(args: str) -> tuple[CardSet, ...]:
    """What `write_gifts` has written: a set of cards for each receiver in order, or 0.

    Raises `NotationError`.
    """
    return tuple(
        0 if cards in ("", _NO_GIFT) else read_cards(cards.replace("_", "#").replace(".", " "))
        for cards in args.split(",")
    )
