"""The public table: everything a spectator needs, and nothing that is not public.

It is rendered from the spectator's view, so a hidden card cannot get into it.
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
from engine.cards import indices, rank_text, sort_key
from engine.state import PLAYING, Call, Laid, Phase
from engine.view import SeatView, View, view

LAST_PLAYS = 6


def table_page(state: Game, to: Speaker) -> Page:
    """Teams and totals, seats in turn order, the combination to beat, wish, the last plays."""
    seen = view(state.match, None)
    say = to.say
    head = say(
        "### Tichu · {variant} · round {number}",
        variant=to.variant(state.options.variant),
        number=seen.number,
    )
    if state.last_round:
        head += " · " + say("the last one")
    blocks = [text(f"{head}\n-# {options_line(state.options, to)}")]
    if seen.totals:
        blocks.append(text(totals(state, seen, to)))
    blocks += [
        line(),
        text("\n".join(seat_line(state, seen, seat, to) for seat in in_turn_order(seen))),
        *(text(words) for words in open_cards(state, seen, to)),
        line(),
        text(middle(state, seen, to)),
    ]
    recent = _recent(state, seen, to)
    if recent:
        blocks.append(text(f"-# {recent}"))
    blocks += small_print(table_deal_line(state, to))
    if state.running:
        blocks.append(table_buttons(state, to))
    return Page(*blocks, accent=discord.Colour(0xC8963E))


def table_buttons(state: Game, to: Speaker) -> Part:
    """My hand, full log, rules; the way back where somebody is away."""
    say = to.say
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
            emoji=to.art.icon_emoji("cardback"),
        ),
        controls.button(Verb.LOG, say("Full log")),
        controls.button(Verb.RULES, say("Rules"), state.options.variant),
        *back,
    )


def in_turn_order(seen: View) -> tuple[int, ...]:
    """Seats in turn order: from the highest rank on, else from seat 0 on in every round.

    When a round is over, ranks are those that it has led to: then they are the order.
    """
    if seen.hierarchy and seen.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return seen.hierarchy
    first = seen.hierarchy[0] if seen.hierarchy else 0
    return (first, *seen.seating.after(first)[:-1])


def totals(state: Game, seen: View, to: Speaker) -> str:
    """A line for each team; where its seats have columns of their own, with all of them."""
    number, teams = to.say.number, seen.seating.teams
    if len(seen.totals) == len(set(teams)):
        return "\n".join(
            f"**{number(total)}** · {column_name(state, column, to)}"
            for column, total in enumerate(seen.totals)
        )
    return "\n".join(
        " & ".join(
            f"{column_name(state, seat, to)} **{number(seen.totals[seat])}**"
            for seat in seen.seating.order
            if teams[seat] == team
        )
        for team in sorted(set(teams))
    )


def open_cards(state: Game, seen: View, to: Speaker) -> Iterator[str]:
    """Hands that lie open for everybody (T7), and cards that were not dealt (G7)."""
    for seat, hand in seen.hands:
        if hand.cards:
            name = seat_name(state, seat, to)
            yield to.say("Open cards of {name}:", name=name) + "\n" + to.cards(hand.cards)
    if seen.left_over:
        cards = " ".join(
            to.plain_card(card) for card in sorted(indices(seen.left_over), key=sort_key)
        )
        yield "-# " + to.say("Not dealt: {cards}", cards=cards)


def seat_line(state: Game, seen: View, seat: int, to: Speaker) -> str:
    """Who sits there, with the number of cards, the call, and whether out or waited for."""
    say = to.say
    public: SeatView = seen.seats[seat]
    asked = seen.phase in PLAYING and seat == seen.turn
    mark = _mark(seen, seat)
    signs = [to.art.icon("turn")] if asked else []
    if not asked or mark != NO_BADGE:
        signs.append(mark)
    signs.append(titled_name(state, seat, seen.hierarchy, to))
    if state.computer(seat):
        signs.append(to.art.icon("computer"))
    parts = [" ".join(signs)]
    if state.away(seat):
        parts.append(say("away"))
    if _dealer_matters(state) and seat == seen.dealer:
        parts.append(say("dealer"))
    if public.place is not None:
        parts.append(f"{to.art.icon('out')} " + _place(public.place, to))
    else:
        parts.append(say.many("{n} card", "{n} cards", public.cards))
    if public.call is Call.GRAND:
        parts.append(f"{to.art.icon('grand')} **" + say("Grand Tichu!") + "**")
    elif public.call is Call.TICHU:
        parts.append(f"{to.art.icon('tichu')} **" + say("Tichu!") + "**")
    if public.waited_for:
        parts.append("⏳")
    return " · ".join(parts)


def _dealer_matters(state: Game) -> bool:
    """Whether the dealer plays another role than the others: in Trichu, for the Table (T2)."""
    return len(state.round.hands) > len(state.chairs)


def _mark(seen: View, seat: int) -> str:
    """In front of a name: nothing much, or the badge of its rank (G30)."""
    if not seen.hierarchy:
        return NO_BADGE
    return badge(seen.hierarchy.index(seat), len(seen.hierarchy))


def _place(place: int, to: Speaker) -> str:
    say = to.say
    known = {1: say("out first"), 2: say("out second"), 3: say("out third")}
    return known.get(place) or say("out in place {place}", place=place)


def middle(state: Game, seen: View, to: Speaker) -> str:
    """What lies on the table, or what is waited for."""
    say = to.say
    lines = []
    if seen.phase is Phase.GRAND:
        lines.append(
            say("The first cards are drawn, one by one: **Grand Tichu**, yes or no?")
            if state.options.rules.dealing == "drawn"
            else say("The first cards are dealt: **Grand Tichu**, yes or no?")
        )
    elif seen.phase is Phase.EXCHANGE:
        lines.append(say("Cards are passed now: **My hand** shows whom you give some."))
    elif seen.phase in (Phase.ROUND_END, Phase.MATCH_END):
        lines.append(say("The round is over."))
        if state.running and state.timers.paused and state.deserted:
            lines.append(say("Everybody is away: the table waits for somebody to come back."))
    elif seen.top is None:
        lines.append(say("{name} leads.", name=f"**{seat_name(state, seen.turn, to)}**"))
    else:
        lines.append(
            say(
                "{cards}\n**{combination}** by {name}",
                cards=to.laid(seen.top),
                combination=to.combination(seen.top),
                name=seat_name(state, seen.top_seat, to),
            )
        )
        if seen.trick_points:
            lines.append(
                "-# "
                + say.many(
                    "{n} point lies in the trick", "{n} points lie in the trick", seen.trick_points
                )
            )
        if seen.phase in (Phase.CLOSING, Phase.GIFT):
            name = f"**{seat_name(state, seen.top_seat, to)}**"
            lines.append(_who_takes_it(name, to, gift=_gift_due(state, seen)))
    if seen.wish is not None:
        wish = to.rank(seen.wish) or rank_text(seen.wish)
        lines.append(f"{to.art.icon('wish')} " + say("The wish is **{rank}**.", rank=wish))
    return "\n".join(lines)


def _gift_due(state: Game, seen: View) -> bool:
    """Whether the trick is won by a Dragon and must be given away (N49, G24)."""
    receivers = state.match.variant.gift_receivers(state.round, seen.top_seat)
    return seen.top is not None and seen.top.is_dragon and bool(receivers)


def _who_takes_it(name: str, to: Speaker, *, gift: bool) -> str:
    """All others have passed; the message stays like this until the next lead."""
    if gift:
        return to.say("{name} gives the Dragon's trick to an opponent.", name=name)
    return to.say("Everybody else has passed: {name} takes the trick.", name=name)


def _recent(state: Game, seen: View, to: Speaker) -> str:
    """The last few plays of this trick in words, or how the last trick ended."""
    if seen.trick:
        return " · ".join(step_text(state, step, to) for step in seen.trick[-LAST_PLAYS:])
    if not seen.past:
        return ""
    last = seen.past[-1]
    return trick_end(state, last.winner, last.given_to, to)


def step_text(state: Game, step: Laid, to: Speaker) -> str:
    """One play or pass in words."""
    name = seat_name(state, step.seat, to)
    if step.combination is None:
        return to.say("{name} passes", name=name)
    words = f"{name}: {to.combination(step.combination)}"
    if step.wish is not None:
        words += " · " + to.say("wishes {rank}", rank=to.rank(step.wish))
    return words


def trick_end(state: Game, winner: int, given_to: int | None, to: Speaker) -> str:
    """Who took a finished trick."""
    say = to.say
    if winner < 0:
        if given_to is None:
            return say("The Dog was the last card.")
        return say("The Dog gives the lead to {name}.", name=seat_name(state, given_to, to))
    if given_to is not None:
        return say(
            "{name} won the trick with the Dragon and gave it to {other}.",
            name=seat_name(state, winner, to),
            other=seat_name(state, given_to, to),
        )
    return say("{name} took the trick.", name=seat_name(state, winner, to))
