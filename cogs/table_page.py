"""The public table: everything a spectator needs, and nothing that is not public.

It is rendered from the spectator's view, so a hidden card cannot get into it.
"""

from __future__ import annotations

import discord

from bot.table import TableState
from bot.text.cards import Speaker
from bot.text.options import options_line
from cogs.controls import Controls, Page, Part, line, row, text
from cogs.deal_lines import small_print, table_deal_line
from cogs.names import seat_name, team_name
from engine.cards import rank_text
from engine.state import PLAYING, Call, Laid, Phase
from engine.view import SeatView, View, view

LAST_PLAYS = 6


def table_page(state: TableState, to: Speaker) -> Page:
    """Teams and totals, seats in turn order, the combination to beat, wish, the last plays."""
    assert state.match is not None
    seen = view(state.match, None)
    say = to.say
    head = say(
        "### Tichu · {variant} · round {number}",
        variant=to.variant(state.options.variant),
        number=seen.number,
    )
    blocks = [
        text(f"{head}\n-# {options_line(state.options, to)}"),
        text(_totals(state, seen, to)),
        line(),
        text("\n".join(_seat_line(state, seen, seat, to) for seat in _in_turn_order(seen))),
        line(),
        text(_middle(state, seen, to)),
    ]
    recent = _recent(state, seen, to)
    if recent:
        blocks.append(text(f"-# {recent}"))
    blocks += small_print(table_deal_line(state, to))
    if state.running:
        blocks.append(table_buttons(state, to))
    return Page(*blocks, accent=discord.Colour(0xC8963E))


def table_buttons(state: TableState, to: Speaker) -> Part:
    """My hand, full log, rules."""
    say = to.say
    controls = Controls(state.id, state.stamp)
    return row(
        controls.button(
            "hand",
            say("My hand"),
            style=discord.ButtonStyle.primary,
            emoji=to.art.icon_emoji("cardback"),
        ),
        controls.button("log", say("Full log")),
        controls.button("rules", say("Rules")),
    )


def _in_turn_order(seen: View) -> tuple[int, ...]:
    """Seats in turn order from seat 0 on, so that the list does not jump between rounds."""
    return (0, *seen.seating.after(0)[:-1])


def _totals(state: TableState, seen: View, to: Speaker) -> str:
    return "\n".join(
        f"**{to.say.number(total)}** · {team_name(state, column)}"
        for column, total in enumerate(seen.totals)
    )


def _seat_line(state: TableState, seen: View, seat: int, to: Speaker) -> str:
    say = to.say
    public: SeatView = seen.seats[seat]
    asked = seen.phase in PLAYING and seat == seen.turn
    parts = [
        f"{to.art.icon('turn') if asked else '▫️'} **{seat_name(state, seat)}**"
        + (f" {to.art.icon('computer')}" if state.computer(seat) else "")
    ]
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


def _place(place: int, to: Speaker) -> str:
    say = to.say
    known = {1: say("out first"), 2: say("out second"), 3: say("out third")}
    return known.get(place) or say("out in place {place}", place=place)


def _middle(state: TableState, seen: View, to: Speaker) -> str:
    """What lies on the table, or what is waited for."""
    say = to.say
    lines = []
    if seen.phase is Phase.GRAND:
        lines.append(say("Everybody has the first cards: **Grand Tichu**, yes or no?"))
    elif seen.phase is Phase.EXCHANGE:
        lines.append(say("Everybody passes a card to each of the others."))
    elif seen.phase in (Phase.ROUND_END, Phase.MATCH_END):
        lines.append(say("The round is over."))
    elif seen.top is None:
        lines.append(say("{name} leads.", name=f"**{seat_name(state, seen.turn)}**"))
    else:
        lines.append(
            say(
                "{cards}\n**{combination}** by {name}",
                cards=to.laid(seen.top),
                combination=to.combination(seen.top),
                name=seat_name(state, seen.top_seat),
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
            lines.append(_who_takes_it(seen, f"**{seat_name(state, seen.top_seat)}**", to))
    if seen.wish is not None:
        wish = to.rank(seen.wish) or rank_text(seen.wish)
        lines.append(f"{to.art.icon('wish')} " + say("The wish is **{rank}**.", rank=wish))
    return "\n".join(lines)


def _who_takes_it(seen: View, name: str, to: Speaker) -> str:
    """All others have passed; the message stays like this until the next lead."""
    assert seen.top is not None
    if seen.top.is_dragon:
        return to.say("{name} gives the Dragon's trick to an opponent.", name=name)
    return to.say("Everybody else has passed: {name} takes the trick.", name=name)


def _recent(state: TableState, seen: View, to: Speaker) -> str:
    """The last few plays of this trick in words, or how the last trick ended."""
    if seen.trick:
        return " · ".join(step_text(state, step, to) for step in seen.trick[-LAST_PLAYS:])
    if not seen.past:
        return ""
    last = seen.past[-1]
    return trick_end(state, last.winner, last.given_to, to)


def step_text(state: TableState, step: Laid, to: Speaker) -> str:
    """One play or pass in words."""
    name = seat_name(state, step.seat)
    if step.combination is None:
        return to.say("{name} passes", name=name)
    words = f"{name}: {to.combination(step.combination)}"
    if step.wish is not None:
        words += " · " + to.say("wishes {rank}", rank=to.rank(step.wish))
    return words


def trick_end(state: TableState, winner: int, given_to: int | None, to: Speaker) -> str:
    """Who took a finished trick."""
    say = to.say
    if winner < 0:
        if given_to is None:
            return say("The Dog was the last card.")
        return say("The Dog gives the lead to {name}.", name=seat_name(state, given_to))
    if given_to is not None:
        return say(
            "{name} won the trick with the Dragon and gave it to {other}.",
            name=seat_name(state, winner),
            other=seat_name(state, given_to),
        )
    return say("{name} took the trick.", name=seat_name(state, winner))
