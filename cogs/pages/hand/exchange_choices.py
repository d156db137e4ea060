"""The exchange on the hand page: cards are picked, then given.

The id of each button contains the picks as they are after a click on it.
"""

from __future__ import annotations

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import title
from cogs.pages.controls import Controls, Part, button_rows, row, text
from cogs.pages.hand.card_order import in_display_order, rank_of_card
from cogs.pages.hand.status import ARROW
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import (
    NATURALS,
    Card,
    CardSet,
    Gift,
    PassCards,
    Seat,
    View,
    card_text,
    indices,
    read_cards,
)
from players.levels import choose

Picks = dict[Seat, CardSet]
"""The exchange so far: receiver -> set of cards."""

_NO_CARDS = "-"
"""Text in a button for a receiver for whom no cards are picked."""


def exchange_rows(
    state: Game, seat: Seat, view: View, controls: Controls, words: Speaker, picks: Picks | None
) -> list[Part]:
    """Return the picks, the cards to pick from, and the final button.

    `picks` is `None` until the player begins to pick. If they have passed cards already, there is
    only a button to change these.
    """
    forced = {gift.receiver: gift.forced for gift in view.gifts}
    if picks is None and view.given is not None:
        if not any(gift.free for gift in view.gifts):
            return []
        cleared = write_gifts(view.gifts, forced)
        return [row(controls.button(Verb.PICK, words.say("Change"), cleared))]

    picked = {
        gift.receiver: gift.forced | (picks or {}).get(gift.receiver, 0) for gift in view.gifts
    }
    next_gift = next((gift for gift in view.gifts if _missing(gift, picked)), None)
    lines = [
        _gift_line(state, seat, view, gift, picked, words, arrow=gift is next_gift)
        for gift in view.gifts
    ]
    rows = [text("\n".join(lines))]
    if next_gift is not None:
        rows += _card_rows(view, next_gift, picked, controls, words)

    last_row = []
    success = discord.ButtonStyle.success
    if next_gift is not None and (suggestion := _suggested(view, picked)):
        rows.append(text(_suggestion_line(state, view, suggestion, words)))
        # Translators: the button that passes suggested cards: at most 80 characters
        give, suggested = words.say("Give as suggested"), write_gifts(view.gifts, suggestion)
        last_row.append(controls.button(Verb.GIVE, give, suggested, style=success))
    if next_gift is None:
        # Translators: the button that hands over the cards of the exchange: at most 80 characters
        give, cards = words.say("Give"), write_gifts(view.gifts, picked)
        last_row.append(controls.button(Verb.GIVE, give, cards, style=success))
    if picked != forced:
        cleared = write_gifts(view.gifts, forced)
        last_row.append(controls.button(Verb.PICK, words.say("Start over"), cleared))
    return [*rows, row(*last_row)] if last_row else rows


def _suggested(view: View, picked: Picks) -> Picks:
    """Return the picks, completed by those of a Novice; nothing if the two do not fit together.

    There is no suggestion where only one card is to be chosen, or after cards were given.
    """
    if still_to_pick(view, None) < 2:
        return {}
    action = choose("novice", view, 0, 0.0)
    if not isinstance(action, PassCards):
        return {}
    novice_picks = dict(action.gifts)
    all_picks = {
        gift.receiver: (novice_picks if _missing(gift, picked) else picked)[gift.receiver]
        for gift in view.gifts
    }
    # A Novice may give a card to one receiver that the player has picked for another.
    are_distinct = picked_cards(all_picks).bit_count() == sum(gift.number for gift in view.gifts)
    keeps_picked = all(not cards & ~all_picks[receiver] for receiver, cards in picked.items())
    return all_picks if are_distinct and keeps_picked else {}


def _suggestion_line(state: Game, view: View, suggestion: Picks, words: Speaker) -> str:
    """Return the line that says who gets which of the suggested cards."""
    say = words.say
    gifts = say.join(
        say(
            "{cards} to {name}",
            cards=words.cards(suggestion[gift.receiver]),
            name=seat_name(state, gift.receiver, words),
        )
        for gift in view.gifts
    )
    return say("Suggestion: {cards}.", cards=gifts)


def _missing(gift: Gift, picked: Picks) -> bool:
    """Return whether a receiver still gets more cards."""
    return picked[gift.receiver].bit_count() < gift.number


def _gift_line(
    state: Game,
    seat: Seat,
    view: View,
    gift: Gift,
    picked: Picks,
    words: Speaker,
    *,
    arrow: bool,
) -> str:
    """Return a line with one receiver, their call, and their cards."""
    say = words.say
    name = seat_name(state, gift.receiver, words)
    # Translators: who gets the cards that stand behind it
    line = say(
        "To **{name}** ({relation})",
        name=name,
        relation=relation_text(view, seat, gift.receiver, words),
    )
    call = view.seats[gift.receiver].call
    if call is not None:
        line += f" · {words.call(call)}"
    cards = words.cards(picked[gift.receiver])
    line = say.labelled(line, cards).rstrip()
    if arrow:
        missing = gift.number - picked[gift.receiver].bit_count()
        wanted = say.many("pick {n} card", "pick {n} cards", missing)
        line = f"{ARROW} {line} **{wanted}**"
    return line


def _card_rows(
    view: View, gift: Gift, picked: Picks, controls: Controls, words: Speaker
) -> list[Part]:
    """Return a button for each card that this receiver may still get."""
    free = gift.free
    for cards in picked.values():
        free &= ~cards
    buttons = [
        controls.button(
            Verb.PICK,
            _label(card, words),
            write_gifts(view.gifts, picked | {gift.receiver: picked[gift.receiver] | 1 << card}),
            emoji=words.art.card_emoji(card_text(card)),
        )
        for card in in_display_order(free, words.sorting)
    ]
    return button_rows(buttons)


def _label(card: Card, words: Speaker) -> str:
    """Return the label of a card's button: none beside its picture, so that five fit on a phone."""
    if words.art.card_emoji(card_text(card)) is not None:
        return ""
    special = not 1 << card & NATURALS
    return rank_of_card(card, words) if special else words.plain_card(card)


def still_to_pick(view: View, picks: Picks | None) -> int:
    """Return the number of cards that the reader has still to choose for the exchange."""
    return sum(
        gift.number - (gift.forced | (picks or {}).get(gift.receiver, 0)).bit_count()
        for gift in view.gifts
    )


def picked_cards(picks: Picks | None) -> CardSet:
    """Return all cards that are chosen so far."""
    chosen = 0
    for cards in (picks or {}).values():
        chosen |= cards
    return chosen


def relation_text(view: View, seat: Seat, other: Seat, words: Speaker) -> str:
    """Return a receiver's relation to this seat, such as “partner”.

    It is a title, the partner, or the next or previous player.
    """
    say = words.say
    if view.hierarchy:
        return title(say, view.hierarchy.index(other), len(view.hierarchy))
    if other in view.seating.partners(seat):
        return say("partner")
    order = view.seating.after(seat)  # in games that pass cards to opponents, there are just two
    # Translators: the player whose turn comes next, or before, in turn order
    return say("next") if order[0] == other else say("previous")


def write_gifts(gifts: tuple[Gift, ...], picked: Picks) -> str:
    """Return the exchange so far as text for a button.

    It has the cards of each receiver in order, or ``-``.
    """
    return ",".join(
        ".".join(
            card_text(card).replace("#", "_") for card in indices(picked.get(gift.receiver, 0))
        )
        or _NO_CARDS
        for gift in gifts
    )


def read_gifts(gifts: tuple[Gift, ...], args: str) -> Picks:
    """Parse the text of `write_gifts`: receiver -> set of cards. Raises `NotationError`."""
    chosen = zip(gifts, read_gift_cards(args), strict=False)
    return {gift.receiver: cards for gift, cards in chosen if cards}


def read_gift_cards(args: str) -> tuple[CardSet, ...]:
    """Parse the text of `write_gifts`: a set of cards for each receiver, 0 for no cards.

    Raises `NotationError`.
    """
    return tuple(
        0 if cards in ("", _NO_CARDS) else read_cards(cards.replace("_", "#").replace(".", " "))
        for cards in args.split(",")
    )
