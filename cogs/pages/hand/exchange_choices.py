"""Controls of the exchange on the hand page: cards are picked, then given.

The id of each button contains all picks as they are after its click.
"""

from __future__ import annotations

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import title
from cogs.pages.controls import Controls, Part, row, text
from cogs.pages.hand.card_order import in_display_order, rank_of_card
from cogs.pages.hand.status import ARROW
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import NATURALS, Card, CardSet, Gift, Seat, View, card_text, indices, read_cards

Picks = dict[Seat, CardSet]
"""The cards picked so far for the exchange: receiver -> set of cards."""

_NO_CARDS = "-"
"""Text in a button's id for a receiver for whom no cards are picked."""
_PER_ROW = 5
"""The number of buttons in a row."""


def exchange_rows(
    state: Game, seat: Seat, view: View, controls: Controls, words: Speaker, picks: Picks | None
) -> list[Part]:
    """Return rows with the picks, the cards to pick from, and the button **Give**.

    `picks` is `None` until the player picks a card. A player who has given may start over.
    """
    forced_cards = {gift.receiver: gift.forced for gift in view.gifts}
    if picks is None and view.given is not None:
        if not any(gift.free for gift in view.gifts):
            return []
        no_picks = write_gifts(view.gifts, forced_cards)
        return [row(controls.button(Verb.PICK, words.say("Change"), no_picks))]
    picked = {
        gift.receiver: gift.forced | (picks or {}).get(gift.receiver, 0) for gift in view.gifts
    }
    next_gift = next((gift for gift in view.gifts if _needs_cards(gift, picked)), None)
    lines = [
        _gift_line(state, seat, view, gift, picked, words, is_next=gift is next_gift)
        for gift in view.gifts
    ]
    rows = [text("\n".join(lines))]
    if next_gift is not None:
        rows += _card_rows(view, next_gift, picked, controls, words)
    buttons = []
    if next_gift is None:
        # Translators: the button that hands over the cards of the exchange: at most 80 characters
        give, cards = words.say("Give"), write_gifts(view.gifts, picked)
        buttons.append(controls.button(Verb.GIVE, give, cards, style=discord.ButtonStyle.success))
    if picked != forced_cards:
        no_picks = write_gifts(view.gifts, forced_cards)
        buttons.append(controls.button(Verb.PICK, words.say("Start over"), no_picks))
    return [*rows, row(*buttons)] if buttons else rows


def _needs_cards(gift: Gift, picked: Picks) -> bool:
    """Return whether more cards must be picked for a receiver."""
    return picked[gift.receiver].bit_count() < gift.number


def _gift_line(
    state: Game,
    seat: Seat,
    view: View,
    gift: Gift,
    picked: Picks,
    words: Speaker,
    *,
    is_next: bool,
) -> str:
    """Return the line of one receiver: name, call, and the cards picked for them.

    The receiver who `is_next` has an arrow, and the number of cards to pick.
    """
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
    if is_next:
        missing_count = gift.number - picked[gift.receiver].bit_count()
        request = say.many("pick {n} card", "pick {n} cards", missing_count)
        line = f"{ARROW} {line} **{request}**"
    return line


def _card_rows(
    view: View, gift: Gift, picked: Picks, controls: Controls, words: Speaker
) -> list[Part]:
    """Return rows with a button for each card that this receiver may still get."""
    free_cards = gift.free
    for cards in picked.values():
        free_cards &= ~cards
    buttons = [
        controls.button(
            Verb.PICK,
            _card_label(card, words),
            write_gifts(view.gifts, picked | {gift.receiver: picked[gift.receiver] | 1 << card}),
            emoji=words.art.card_emoji(card_text(card)),
        )
        for card in in_display_order(free_cards, words.sorting)
    ]
    starts = range(0, len(buttons), _PER_ROW)
    return [row(*buttons[start : start + _PER_ROW]) for start in starts]


def _card_label(card: Card, words: Speaker) -> str:
    """Return the label of a card's button, without its suit if there is a picture."""
    has_picture = words.art.card_emoji(card_text(card)) is not None
    is_special = not 1 << card & NATURALS
    return rank_of_card(card, words) if has_picture or is_special else words.plain_card(card)


def relation_text(view: View, seat: Seat, other: Seat, words: Speaker) -> str:
    """Return a receiver's relation to this seat: a title, “partner”, “next” or “previous”."""
    say = words.say
    if view.hierarchy:
        return title(say, view.hierarchy.index(other), len(view.hierarchy))
    if other in view.seating.partners(seat):
        return say("partner")
    order = view.seating.after(seat)  # cards go to opponents only where there are just these two
    # Translators: the player whose turn comes next, or before, in turn order
    return say("next") if order[0] == other else say("previous")


def write_gifts(gifts: tuple[Gift, ...], picked: Picks) -> str:
    """Return the picked cards of all receivers, in their order, as text for a button's id."""
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
    """Parse the text of `write_gifts`: a set of cards for each receiver, empty for none.

    Raises `NotationError`.
    """
    return tuple(
        0 if cards in ("", _NO_CARDS) else read_cards(cards.replace("_", "#").replace(".", " "))
        for cards in args.split(",")
    )
