"""Choices on the hand page: their draft and rows of controls.

Plays and free cards, bombs, the wish, the receiver of the Dragon's trick or the Dog's lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import (
    BUTTONS_PER_ROW,
    Controls,
    Part,
    button_rows,
    option,
    row,
    text,
)
from cogs.pages.hand.card_order import in_display_order, ranks_of_cards
from cogs.pages.hand.exchange_choices import Picks
from cogs.pages.hand.free_choice import (
    card_select,
    picture_card,
    play_button,
    reading_buttons,
    refusal_line,
)
from cogs.pages.hand.play_choices import MOST_OFFERED, offered_plays, usual_wish, write_choice
from cogs.pages.hand.refused_plays import refusal_reason
from cogs.pages.names import label_name
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    PHOENIX,
    PHOENIXES,
    RANKS,
    Call,
    CardSet,
    Combination,
    GiveTrick,
    Pass,
    Rank,
    Seat,
    View,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A choice that a player has begun and not sent yet.

    It is kept with the open hand until the legal actions change. The draft is also in the button
    ids, so it survives when no open hand is kept.
    """

    note: str = field(default="", repr=False)
    """A sentence on top of the page, such as a refusal."""
    chosen: CardSet = field(default=0, repr=False)
    """The set of cards chosen so far for a play."""
    picks: Picks | None = field(default=None, repr=False)
    """The cards picked for the exchange so far; `None` if the player has picked none."""
    wish_for: tuple[CardSet, tuple[Rank, ...]] | None = field(default=None, repr=False)
    """A play that needs its wish: its cards and Phoenix ranks."""
    confirm: Call | None = None
    """The call that the page asks to confirm."""
    bombs: tuple[Combination, ...] = field(default=(), repr=False)
    """Bombs to choose from."""
    dog: bool = False
    """True if the page asks which partner gets the lead from the Dog."""
    select_suffix: str = ""
    """A suffix of select ids, changed by **Back** so that Discord shows them unselected.

    It is empty before. As long as the id of a select is the same, Discord keeps showing the last
    choice, and nobody can choose it a second time.
    """
    offers_reactions: bool = False
    """True if the page offers reactions to send to the others."""
    do: str = field(default="", repr=False)
    """The arguments of **Do it**, if the note is a hint; see `hints.py`."""
    seat: Seat | None = None
    """The seat that the page is for, if its player decides for two."""


def play_rows(
    state: Game, seat: Seat, view: View, controls: Controls, words: Speaker, draft: Draft
) -> list[Part]:
    """Return the best plays, the pass, and selects of plays and cards.

    If the reader has begun to choose cards, the rows show the plays of these cards and the way back
    instead.
    """
    say, chosen = words.say, draft.chosen
    free = card_select(view, chosen, controls, words, Verb.CARDS, draft.select_suffix)
    if chosen:
        return [free, *_chosen_rows(state, seat, view, controls, words, chosen)]
    offer = offered_plays(view)
    best, more = (list(_play_buttons(plays, view, controls, words)) for plays in offer)
    rows = [text("-# " + say("Suggestions, best first:"))] if len(best) > 1 else []
    shown = [*best, *more] if len(more) <= BUTTONS_PER_ROW else best
    rows += button_rows([*shown, *pass_buttons(view, controls, words, alone=not shown)])
    if len(shown) < len(best) + len(more):
        options = [_play_option(play, words) for play in offer.more]
        rows.append(controls.select(Verb.PLAY, say("More plays…"), options, draft.select_suffix))
    return [*rows, free]


def _play_buttons(
    plays: Iterable[Combination], view: View, controls: Controls, words: Speaker
) -> Iterator[Part]:
    """Yield a button for each play, and another one for the Mah Jong with the usual wish."""
    wish = usual_wish(view)
    for play in plays:
        name, picture = words.short(play), words.art.card_emoji(picture_card(play))
        if picture is None and play.size > 1 and play.cards & PHOENIXES:
            name += f" + {words.card_name(PHOENIX)}"
        yield play_button(play, controls, words, name)
        if play.cards & MAHJONGS and wish is not None:
            yield controls.button(
                Verb.WISH,
                # Translators: a play with the Mah Jong, and the rank to wish for
                words.say("{play}, wish {rank}", play=name, rank=words.rank(wish)),
                f"{write_choice(play.cards, play.phoenix)}>{wish}",
                style=discord.ButtonStyle.success,
                emoji=picture,
            )


def pass_buttons(
    view: View, controls: Controls, words: Speaker, *, alone: bool = False
) -> list[Part]:
    """Return the button for a legal pass, highlighted if `alone`."""
    if not any(isinstance(action, Pass) for action in view.actions):
        return []
    style = discord.ButtonStyle.primary if alone else discord.ButtonStyle.secondary
    icon = words.art.icon_emoji("pass")
    # Translators: play nothing; not in the exchange
    return [controls.button(Verb.PASS, words.say("Pass"), style=style, emoji=icon)]


def _chosen_rows(
    state: Game, seat: Seat, view: View, controls: Controls, words: Speaker, chosen: CardSet
) -> Iterator[Part]:
    """Return the plays of the chosen cards, or a reason against them."""
    made = reading_buttons(view, chosen, controls, words)
    if made:
        yield text(words.cards(chosen))
    else:
        yield refusal_line(chosen, refusal_reason(state, seat, chosen, words), words)
    yield row(*made, controls.button(Verb.REFRESH, words.say("Back")))


def _play_option(play: Combination, words: Speaker) -> Part:
    """Return the option of this play, with suits where they matter."""
    return option(
        words.combination(play),
        write_choice(play.cards, play.phoenix),
        description=cards_in_words(play, words) if play.size > 1 else None,
        emoji=words.art.card_emoji(picture_card(play)),
    )


def cards_in_words(play: Combination, words: Speaker) -> str:
    """Return the cards of a play: ranks, and suits in a bomb."""
    if play.is_bomb:
        return " ".join(
            words.plain_card(card) for card in in_display_order(play.cards, "dog_first")
        )
    return ranks_of_cards(play.cards, words)


def bomb_rows(
    bombs: tuple[Combination, ...],
    target: str,
    controls: Controls,
    words: Speaker,
    explain: Part,
) -> list[Part]:
    """Return the select of bombs; `target` is the play to beat.

    `explain` is a button placed beside the way back.
    """
    options = [
        option(words.combination(bomb), f"{bomb.cards:x}", description=cards_in_words(bomb, words))
        for bomb in bombs[:MOST_OFFERED]
    ]
    back = row(controls.button(Verb.REFRESH, words.say("Back")), explain)
    return [controls.select(Verb.BOMB, words.say("Which bomb?"), options, target), back]


def wish_rows(
    controls: Controls,
    words: Speaker,
    play: tuple[CardSet, tuple[Rank, ...]],
    explain: Part,
) -> list[Part]:
    """Return a button for each wish with the Mah Jong, and none.

    `explain` is a button placed beside the way back.
    """
    say, choice = words.say, write_choice(*play)
    primary = discord.ButtonStyle.primary
    buttons = [
        controls.button(Verb.WISH, words.rank(rank), f"{choice}>{rank}", style=primary)
        for rank in RANKS
    ]
    buttons.append(controls.button(Verb.WISH, say("No wish"), f"{choice}>none"))
    question = say("Mah Jong – wish for a rank?")
    return [
        text(f"{words.cards(play[0])} **{question}**"),
        *button_rows(buttons),
        row(controls.button(Verb.REFRESH, say("Back")), explain),
    ]


def gift_row(state: Game, gifts: list[GiveTrick], controls: Controls, words: Speaker) -> Part:
    """Return the row with a button for each opponent who may get the Dragon's trick."""
    seats = state.views.public.seats
    buttons = []
    for receiver in (gift.receiver for gift in gifts[:BUTTONS_PER_ROW]):
        name = label_name(state, receiver, words)
        label = words.say.many(
            "{name} – {n} card", "{name} – {n} cards", seats[receiver].cards, name=name
        )
        primary = discord.ButtonStyle.primary
        buttons.append(controls.button(Verb.GIFT, label, str(receiver), style=primary))
    return row(*buttons)


def dog_row(state: Game, targets: Sequence[Seat], controls: Controls, words: Speaker) -> Part:
    """Return the row with a button for each partner who may lead next (S6)."""
    buttons = [
        controls.button(
            Verb.DOG,
            # Translators: who gets the lead; a button, at most 80 characters
            words.say("To {name}", name=label_name(state, seat, words)),
            str(seat),
            style=discord.ButtonStyle.primary,
        )
        for seat in targets
    ]
    return row(*buttons, controls.button(Verb.REFRESH, words.say("Back")))
