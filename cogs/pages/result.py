"""The public message at the end of a round or of a match."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.ids import UserId
from bot.score_records import Rating
from bot.table.rematch import has_partners
from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.titles import badge
from cogs.pages.controls import Controls, Page, Part, gallery, line, row, text
from cogs.pages.deal_lines import result_deal_line, small_print
from cogs.pages.names import column_name, plain_column, seat_name, seats_of_column, titled_name
from cogs.pages.verbs import Verb
from engine import Phase, RoundResult

Ratings = Mapping[UserId, Rating]
"""User id -> rating."""
MOST_ROUNDS = 30
"""The number of rounds that the table of scores shows: those of the longest Trichu (O5)."""
SCORE_FILE = "score.png"
"""The name of the attached file with the picture of the match."""


def result_page(
    state: Game,
    words: Speaker,
    *,
    countdown: bool = True,
    ratings: Ratings | None = None,
    drawn: str | None = None,
) -> Page:
    """The result of the last round: order of going out, calls, points.

    After the match the winners and the scores of all rounds follow; before its end, if `countdown`
    is wanted, when the next round begins. `ratings` are those after the match. `drawn` is the
    description of the picture of the match; with it `SCORE_FILE` must be attached to the message.
    """
    result = state.match.results[-1]
    say = words.say
    over = state.match.phase is Phase.MATCH_END
    head = say("## Round {number} is over", number=result.number)
    blocks: list[Part] = [text(head)]
    if state.match.variant.scored:
        blocks += [text(story(state, result, words)), line(), text(scores(state, result, words))]
    else:
        blocks.append(text(hierarchy(state, words)))
    if over:
        blocks += [line(), text(_winners(state, words))]
        if state.match.totals:
            blocks.append(text(_standing(state, words)))
        if ratings:
            blocks.append(text(_ratings(state, ratings, words)))
        if drawn is not None:
            blocks.append(gallery(SCORE_FILE, drawn))
        if state.match.totals and len(state.match.results) > 1:
            blocks.append(text(_rounds(state, words)))
    elif state.running and countdown:
        blocks += [line(), text(_next(state, words))]
    blocks += small_print(result_deal_line(state, words))
    if over or (state.running and countdown):
        blocks.append(result_buttons(state, words, over=over))
    return Page(*blocks, accent=discord.Colour(0xC8963E if over else 0x2F6F4F))


def result_buttons(state: Game, words: Speaker, *, over: bool) -> Part:
    """The buttons of a result.

    Between rounds: pause or go on, and take a seat. After the match (`over`): a rematch, a lobby.
    """
    say = words.say
    controls = Controls(state.id, state.revision)
    if over:
        buttons = [controls.button(Verb.REMATCH, say("Rematch"), style=discord.ButtonStyle.success)]
        if has_partners(state.options):
            buttons.append(controls.button(Verb.NEW_PARTNERS, say("Rematch, new partners")))
        return row(*buttons, controls.button(Verb.NEW_LOBBY, say("New lobby")))
    buttons = [
        controls.button(Verb.RESUME, say("Go on"), style=discord.ButtonStyle.success)
        if state.timers.paused
        else controls.button(Verb.PAUSE, say("Pause"))
    ]
    if free_seats(state):
        buttons.append(controls.button(Verb.SIT, say("Take a computer player's seat")))
    return row(*buttons)


def story(state: Game, result: RoundResult, words: Speaker) -> str:
    """The story of the round in a few sentences: who went out, and what became of the calls."""
    say = words.say
    names = [f"**{seat_name(state, seat, words)}**" for seat in result.out]
    lines = []
    if result.penalty is not None:
        lines.append(
            say(
                "{name} could have fulfilled the wish and did not: the round ends at once.",
                name=f"**{seat_name(state, result.penalty, words)}**",
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
        name = f"**{seat_name(state, seat, words)}**"
        points = say.signed(call.value if made else -call.value)
        lines.append(
            say(
                "{name} made the {call}: {points}.", name=name, call=words.call(call), points=points
            )
            if made
            else say(
                "{name} failed with the {call}: {points}.",
                name=name,
                call=words.call(call),
                points=points,
            )
        )
    return "\n".join(lines)


def scores(state: Game, result: RoundResult, words: Speaker) -> str:
    """The points of each column in this round, and its total."""
    say = words.say
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
                team=column_name(state, column, words),
                points=points,
                total=say.number(total),
            )
        )
    return "\n".join(lines)


def _next(state: Game, words: Speaker) -> str:
    """When the next round begins; of a pause, how it ends."""
    say = words.say
    when = state.timers.deadlines.get("next_round")
    if state.timers.paused or when is None:
        sentence = (
            say("Everybody is away: the table is paused. Press **Go on** to play on.")
            if state.deserted
            else say("Paused. Press **Go on** when everybody is ready.")
        )
        end = state.timers.deadlines.get("abandoned")
        if end is None:
            return sentence
        closes = discord.utils.format_dt(end, "R")
        return (
            sentence + "\n-# " + say("Unless somebody does, the table closes {when}.", when=closes)
        )
    return say("The next round starts {when}.", when=discord.utils.format_dt(when, "R"))


def _winners(state: Game, words: Speaker) -> str:
    """Who has won the match."""
    say = words.say
    columns = state.match.winners
    winners = " & ".join(column_name(state, column, words) for column in columns)
    seats = [seat for column in columns for seat in seats_of_column(state, column)]
    if not state.match.variant.scored:
        return "# 👑 " + say("{name} is the Great Lord at the end!", name=winners)
    if len(seats) == 1:
        return "# 🏆 " + say("{name} wins the match!", name=winners)
    return "# 🏆 " + say("{team} win the match!", team=winners)


def hierarchy(state: Game, words: Speaker) -> str:
    """All players by rank, with their titles (G12, G13)."""
    ranks = state.match.variant.hierarchy(state.match)
    return "\n".join(
        f"{badge(place, len(ranks))} {titled_name(state, seat, ranks, words)}"
        for place, seat in enumerate(ranks)
    )


def _standing(state: Game, words: Speaker) -> str:
    """All columns by points; equal ones share a place (T15)."""
    totals = state.match.totals
    lines = []
    for column, total in sorted(enumerate(totals), key=lambda entry: -entry[1]):
        place = 1 + sum(other > total for other in totals)
        name = column_name(state, column, words)
        lines.append(f"{place}\\. {name}: {words.say.number(total)}")
    return "\n".join(lines)


def _ratings(state: Game, ratings: Ratings, words: Speaker) -> str:
    """The ratings of the people after the match, and by how much the match has changed them."""
    say = words.say
    parts = []
    for chair in state.people():
        if chair.user_id is not None and chair.user_id in ratings:
            now = round(ratings[chair.user_id].shown)
            before = state.credits.ratings.get(chair.user_id)
            change = "" if before is None else f" ({say.signed(now - before)})"
            parts.append(f"{seat_name(state, chair.seat, words)} **{say.number(now)}**{change}")
    return "📈 " + say("Ratings: {ratings}", ratings=" · ".join(parts))


def _rounds(state: Game, words: Speaker) -> str:
    """The scores of the (last) rounds, as a small table in a font of fixed width."""
    results = state.match.results[-MOST_ROUNDS:]
    width = max(7, *(len(str(total)) for result in results for total in result.totals)) + 1
    names = [
        plain_column(state, column, words)[: width - 1] for column in range(len(state.match.totals))
    ]
    rows = ["    " + "".join(f"{name:>{width}}" for name in names)]
    rows += [
        f"{result.number:>3} " + "".join(f"{total:>{width}}" for total in result.totals)
        for result in results
    ]
    return "```\n" + "\n".join(rows) + "\n```"
