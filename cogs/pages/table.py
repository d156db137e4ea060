"""The public table message: all that a spectator needs, and nothing that is not public.

It is made from the view of a spectator, so it cannot show a hidden card.
"""

from __future__ import annotations

from collections.abc import Iterator

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.options import options_line
from bot.text.titles import NO_BADGE, badge
from cogs.pages.controls import Controls, Page, Part, line, row, text
from cogs.pages.deal_lines import small_print, table_deal_line
from cogs.pages.names import column_name, seat_name, titled_name
from cogs.pages.verbs import Verb
from engine import (
    PLAYING,
    Call,
    Laid,
    Phase,
    Seat,
    SeatView,
    View,
    indices,
    rank_text,
    sort_key,
)

LAST_PLAYS = 6
"""The number of plays and passes of a trick that are told in words."""


def table_page(state: Game, words: Speaker) -> Page:
    """The table message: totals, seats in turn order, what lies on the table, the last plays."""
    public = state.views.public
    say = words.say
    head = say(
        "### Tichu · {variant} · round {number}",
        variant=words.variant(state.options.variant),
        number=public.number,
    )
    if state.last_round:
        head += " · " + say("the last one")
    blocks = [text(f"{head}\n-# {options_line(state.options, words)}")]
    if public.totals:
        blocks.append(text(totals(state, public, words)))
    blocks += [
        line(),
        text("\n".join(seat_line(state, public, seat, words) for seat in in_turn_order(public))),
        *(text(cards) for cards in open_cards(state, public, words)),
        line(),
        text(middle(state, public, words)),
    ]
    recent = _recent(state, public, words)
    if recent:
        blocks.append(text(f"-# {recent}"))
    blocks += small_print(table_deal_line(state, words))
    if state.running:
        blocks.append(table_buttons(state, words))
    return Page(*blocks, accent=discord.Colour(0xC8963E))


def table_buttons(state: Game, words: Speaker) -> Part:
    """The buttons: my hand, full log, rules, and the way back where somebody is away."""
    say = words.say
    controls = Controls(state.id, state.revision)
    back = (
        [controls.button(Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success)]
        if state.notes.away
        else []
    )
    return row(
        controls.button(
            Verb.HAND,
            say("My hand"),
            style=discord.ButtonStyle.primary,
            emoji=words.art.icon_emoji("cardback"),
        ),
        controls.button(Verb.LOG, say("Full log")),
        controls.button(Verb.RULES, say("Rules"), state.options.variant),
        *back,
    )


def in_turn_order(view: View) -> tuple[Seat, ...]:
    """Seats in turn order: from the highest rank on, else from seat 0 on in every round.

    When a round is over, ranks are those that it has led to: then they are the order.
    """
    if view.hierarchy and view.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return view.hierarchy
    first = view.hierarchy[0] if view.hierarchy else 0
    return (first, *view.seating.after(first)[:-1])


def totals(state: Game, view: View, words: Speaker) -> str:
    """A line for each team; where its seats have columns of their own, with all of them."""
    number, teams = words.say.number, view.seating.teams
    if len(view.totals) == len(set(teams)):
        return "\n".join(
            f"**{number(total)}** · {column_name(state, column, words)}"
            for column, total in enumerate(view.totals)
        )
    return "\n".join(
        " & ".join(
            f"{column_name(state, seat, words)} **{number(view.totals[seat])}**"
            for seat in view.seating.order
            if teams[seat] == team
        )
        for team in sorted(set(teams))
    )


def open_cards(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Hands that lie open for everybody (T7), and cards that were not dealt (G7)."""
    for seat, hand in view.hands:
        if hand.cards:
            name = seat_name(state, seat, words)
            yield words.say("Open cards of {name}:", name=name) + "\n" + words.cards(hand.cards)
    if view.left_over:
        cards = " ".join(
            words.plain_card(card) for card in sorted(indices(view.left_over), key=sort_key)
        )
        yield "-# " + words.say("Not dealt: {cards}", cards=cards)


def seat_line(state: Game, view: View, seat: Seat, words: Speaker) -> str:
    """One seat: who sits there, cards left, the call, whether they are out or waited for."""
    say = words.say
    public: SeatView = view.seats[seat]
    asked = view.phase in PLAYING and seat == view.turn
    mark = _mark(view, seat)
    signs = [words.art.icon("turn")] if asked else []
    if not asked or mark != NO_BADGE:
        signs.append(mark)
    signs.append(titled_name(state, seat, view.hierarchy, words))
    if state.computer(seat):
        signs.append(words.art.icon("computer"))
    parts = [" ".join(signs)]
    if state.away(seat):
        parts.append(say("away"))
    if _dealer_matters(state) and seat == view.dealer:
        parts.append(say("dealer"))
    if public.place is not None:
        parts.append(f"{words.art.icon('out')} " + _place(public.place, words))
    else:
        parts.append(say.many("{n} card", "{n} cards", public.cards))
    if public.call is Call.GRAND:
        parts.append(f"{words.art.icon('grand')} **" + say("Grand Tichu!") + "**")
    elif public.call is Call.TICHU:
        parts.append(f"{words.art.icon('tichu')} **" + say("Tichu!") + "**")
    if public.waited_for:
        parts.append("⏳")
    return " · ".join(parts)


def _dealer_matters(state: Game) -> bool:
    """Whether the dealer has a special role: in Trichu they play for the Table, too (T2)."""
    return len(state.round.hands) > len(state.chairs)


def _mark(view: View, seat: Seat) -> str:
    """The sign in front of a name: the badge of its rank, or one that means nothing (G30)."""
    if not view.hierarchy:
        return NO_BADGE
    return badge(view.hierarchy.index(seat), len(view.hierarchy))


def _place(place: int, words: Speaker) -> str:
    """In which place (from 1) somebody went out."""
    say = words.say
    known = {1: say("out first"), 2: say("out second"), 3: say("out third")}
    return known.get(place) or say("out in place {place}", place=place)


def middle(state: Game, view: View, words: Speaker) -> str:
    """The middle of the page: what lies on the table, or what everybody waits for."""
    say = words.say
    lines = []
    if view.phase is Phase.GRAND:
        lines.append(
            say("The first cards are drawn, one by one: **Grand Tichu**, yes or no?")
            if state.options.rules.dealing == "drawn"
            else say("The first cards are dealt: **Grand Tichu**, yes or no?")
        )
    elif view.phase is Phase.EXCHANGE:
        lines.append(say("Cards are passed now: **My hand** shows whom you give some."))
    elif view.phase in (Phase.ROUND_END, Phase.MATCH_END):
        lines.append(say("The round is over."))
        if state.running and state.timers.paused and state.deserted:
            lines.append(say("Everybody is away: the table waits for somebody to come back."))
    elif view.top is None:
        lines.append(say("{name} leads.", name=f"**{seat_name(state, view.turn, words)}**"))
    else:
        lines.append(
            say(
                "{cards}\n**{combination}** by {name}",
                cards=words.laid(view.top),
                combination=words.combination(view.top),
                name=seat_name(state, view.top_seat, words),
            )
        )
        if view.trick_points:
            lines.append(
                "-# "
                + say.many(
                    "{n} point lies in the trick", "{n} points lie in the trick", view.trick_points
                )
            )
        if view.phase in (Phase.CLOSING, Phase.GIFT):
            name = f"**{seat_name(state, view.top_seat, words)}**"
            lines.append(_who_takes_it(name, words, gift=_gift_due(state, view)))
    if view.wish is not None:
        wish = words.rank(view.wish) or rank_text(view.wish)
        lines.append(f"{words.art.icon('wish')} " + say("The wish is **{rank}**.", rank=wish))
    return "\n".join(lines)


def _gift_due(state: Game, view: View) -> bool:
    """Whether the trick is won by a Dragon and must be given away (N49, G24)."""
    receivers = state.match.variant.gift_receivers(state.round, view.top_seat)
    return view.top is not None and view.top.is_dragon and bool(receivers)


def _who_takes_it(name: str, words: Speaker, *, gift: bool) -> str:
    """Who takes a trick after all others have passed; it is shown until the next lead."""
    if gift:
        return words.say("{name} gives the Dragon's trick to an opponent.", name=name)
    return words.say("Everybody else has passed: {name} takes the trick.", name=name)


def _recent(state: Game, view: View, words: Speaker) -> str:
    """The last plays of this trick in words; before the first one, how the last trick ended."""
    if view.trick:
        return " · ".join(step_text(state, step, words) for step in view.trick[-LAST_PLAYS:])
    if not view.past:
        return ""
    last = view.past[-1]
    return trick_end(state, last.winner, last.given_to, words)


def step_text(state: Game, step: Laid, words: Speaker) -> str:
    """One play or pass in words."""
    name = seat_name(state, step.seat, words)
    if step.combination is None:
        return words.say("{name} passes", name=name)
    play = f"{name}: {words.combination(step.combination)}"
    if step.wish is not None:
        play += " · " + words.say("wishes {rank}", rank=words.rank(step.wish))
    return play


def trick_end(state: Game, winner: Seat, given_to: Seat | None, words: Speaker) -> str:
    """Who took a finished trick."""
    say = words.say
    if winner < 0:
        if given_to is None:
            return say("The Dog was the last card.")
        return say("The Dog gives the lead to {name}.", name=seat_name(state, given_to, words))
    if given_to is not None:
        return say(
            "{name} won the trick with the Dragon and gave it to {other}.",
            name=seat_name(state, winner, words),
            other=seat_name(state, given_to, words),
        )
    return say("{name} took the trick.", name=seat_name(state, winner, words))
