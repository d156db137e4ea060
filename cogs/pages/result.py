"""What the channel reads at the end of a round and of a match."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.score_records import Rating
from bot.table.rematch import has_partners
from bot.table.seats import free_seats
from bot.table.state import TableState
from bot.text.cards import Speaker
from bot.text.titles import badge
from cogs.pages.controls import Controls, Page, Part, line, picture, row, text
from cogs.pages.deal_lines import result_deal_lines, small_print
from cogs.pages.names import column_name, plain_column, seat_name, seats_of_column, titled_name
from engine.state import Phase, RoundResult

Ratings = Mapping[int, Rating]
"""Ratings by user."""
MOST_ROUNDS = 30
"""Rows of the score: as many as the longest Trichu has rounds (O5)."""
SCORE_FILE = "score.png"
"""The attachment with the picture of the match."""


def result_page(
    state: TableState,
    to: Speaker,
    *,
    countdown: bool = True,
    ratings: Ratings | None = None,
    drawn: str | None = None,
) -> Page:
    """Order of going out, points, calls, totals; then the winners, or the countdown if wanted.

    `ratings` are those after the match, by user. With `drawn`, what the picture of the match shows
    in words, `SCORE_FILE` must be attached.
    """
    assert state.match is not None
    result = state.match.results[-1]
    say = to.say
    over = state.match.phase is Phase.MATCH_END
    head = say("## Round {number} is over", number=result.number)
    blocks: list[Part] = [text(head)]
    if state.match.variant.scored:
        blocks += [text(story(state, result, to)), line(), text(scores(state, result, to))]
    else:
        blocks.append(text(hierarchy(state, to)))
    if over:
        blocks += [line(), text(_winners(state, to))]
        if state.match.totals:
            blocks.append(text(_standing(state, to)))
        if ratings:
            blocks.append(text(_ratings(state, ratings, to)))
        if drawn is not None:
            blocks.append(picture(SCORE_FILE, drawn))
        if state.match.totals and len(state.match.results) > 1:
            blocks.append(text(_rounds(state, to)))
    elif state.running and countdown:
        blocks += [line(), text(_next(state, to))]
    blocks += small_print(result_deal_lines(state, to))
    if over or (state.running and countdown):
        blocks.append(result_buttons(state, to, over=over))
    return Page(*blocks, accent=discord.Colour(0xC8963E if over else 0x2F6F4F))


def result_buttons(state: TableState, to: Speaker, *, over: bool) -> Part:
    """Pause or go on between rounds, or sit down; rematch or a new lobby after the match."""
    say = to.say
    make = Controls(state.id, state.stamp)
    if over:
        buttons = [make.button("rematch", say("Rematch"), style=discord.ButtonStyle.success)]
        if has_partners(state.options):
            buttons.append(make.button("new-partners", say("Rematch, new partners")))
        return row(*buttons, make.button("new-lobby", say("New lobby")))
    buttons = [
        make.button("resume", say("Go on"), style=discord.ButtonStyle.success)
        if state.desk.paused
        else make.button("pause", say("Pause"))
    ]
    if free_seats(state):
        buttons.append(make.button("sit", say("Take a computer player's seat")))
    return row(*buttons)


def story(state: TableState, result: RoundResult, to: Speaker) -> str:
    """How the round went, in a few sentences."""
    say = to.say
    names = [f"**{seat_name(state, seat, to)}**" for seat in result.out]
    lines = []
    if result.penalty is not None:
        lines.append(
            say(
                "{name} could have fulfilled the wish and did not: the round ends at once.",
                name=f"**{seat_name(state, result.penalty, to)}**",
            )
        )
    elif result.sweep:
        lines.append(
            say(
                "**Double victory!** {names} are out first.",
                names=" & ".join(names),
            )
            if len(names) == 2
            else say("**Triple victory!** {names} are out first.", names=" & ".join(names))
        )
    elif names:
        lines.append(say("Out in this order: {names}.", names=", ".join(names)))
    for seat, call, made in result.calls:
        name = f"**{seat_name(state, seat, to)}**"
        points = say.signed(call.value if made else -call.value)
        lines.append(
            say("{name} made the {call}: {points}.", name=name, call=to.call(call), points=points)
            if made
            else say(
                "{name} failed with the {call}: {points}.",
                name=name,
                call=to.call(call),
                points=points,
            )
        )
    return "\n".join(lines)


def scores(state: TableState, result: RoundResult, to: Speaker) -> str:
    """The points of each column in this round and in all."""
    say = to.say
    lines = []
    for column, total in enumerate(result.totals):
        cards, score = result.cards[column], result.score[column]
        calls = score - cards
        points = say.signed(score)
        if calls:
            points += " " + say(
                "({cards} from cards, {calls} from calls)",
                cards=say.number(cards),
                calls=say.signed(calls),
            )
        lines.append(
            say(
                "{team}: {points}, now **{total}**",
                team=column_name(state, column, to),
                points=points,
                total=say.number(total),
            )
        )
    return "\n".join(lines)


def _next(state: TableState, to: Speaker) -> str:
    say = to.say
    when = state.desk.deadlines.get("next_round")
    if state.desk.paused or when is None:
        words = (
            say("Everybody is away: the table is paused. Press **Go on** to play on.")
            if state.deserted
            else say("Paused. Press **Go on** when everybody is ready.")
        )
        end = state.desk.deadlines.get("abandoned")
        if end is None:
            return words
        closes = discord.utils.format_dt(end, "R")
        return words + "\n-# " + say("Unless somebody does, the table closes {when}.", when=closes)
    return say("The next round starts {when}.", when=discord.utils.format_dt(when, "R"))


def _winners(state: TableState, to: Speaker) -> str:
    assert state.match is not None
    say = to.say
    columns = state.match.winners
    winners = " & ".join(column_name(state, column, to) for column in columns)
    seats = [seat for column in columns for seat in seats_of_column(state, column)]
    if not state.match.variant.scored:
        return "# 👑 " + say("{name} is the Great Lord at the end!", name=winners)
    if len(seats) == 1:
        return "# 🏆 " + say("{name} wins the match!", name=winners)
    return "# 🏆 " + say("{team} win the match!", team=winners)


def hierarchy(state: TableState, to: Speaker) -> str:
    """Everybody by rank, with titles (G12, G13)."""
    assert state.match is not None
    ranks = state.match.variant.hierarchy(state.match)
    return "\n".join(
        f"{badge(place, len(ranks))} {titled_name(state, seat, ranks, to)}"
        for place, seat in enumerate(ranks)
    )


def _standing(state: TableState, to: Speaker) -> str:
    """All columns by points, equal ones in the same place (T15)."""
    assert state.match is not None
    totals = state.match.totals
    lines = []
    for column, total in sorted(enumerate(totals), key=lambda entry: -entry[1]):
        place = 1 + sum(other > total for other in totals)
        name = column_name(state, column, to)
        lines.append(f"{place}\\. {name}: {to.say.number(total)}")
    return "\n".join(lines)


def _ratings(state: TableState, ratings: Ratings, to: Speaker) -> str:
    """The ratings of people after the match, and how far they have moved in it."""
    say = to.say
    parts = []
    for chair in state.people():
        if chair.user_id is not None and chair.user_id in ratings:
            now = round(ratings[chair.user_id].shown)
            before = state.desk.ratings.get(chair.user_id)
            change = "" if before is None else f" ({say.signed(now - before)})"
            parts.append(f"{seat_name(state, chair.seat, to)} **{say.number(now)}**{change}")
    return "📈 " + say("Ratings: {ratings}", ratings=" · ".join(parts))


def _rounds(state: TableState, to: Speaker) -> str:
    """The score through the (last) rounds as a small table in fixed width."""
    assert state.match is not None
    results = state.match.results[-MOST_ROUNDS:]
    width = max(7, *(len(str(total)) for result in results for total in result.totals)) + 1
    names = [
        plain_column(state, column, to)[: width - 1] for column in range(len(state.match.totals))
    ]
    rows = ["    " + "".join(f"{name:>{width}}" for name in names)]
    rows += [
        f"{result.number:>3} " + "".join(f"{total:>{width}}" for total in result.totals)
        for result in results
    ]
    return "```\n" + "\n".join(rows) + "\n```"
