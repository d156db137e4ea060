"""The public message at the end of a round or of a match."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.ids import UserId
from bot.score_records import Rating
from bot.table.rematch import has_partners
from bot.table.seats import free_seats
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, gallery, line, row, text
from cogs.pages.names import column_name, seat_name, seats_of_column
from cogs.pages.table.deal_lines import result_deal_line, small_print
from cogs.pages.table.score_lines import (
    all_rounds_table,
    final_standing,
    hierarchy_lines,
    round_story,
    scores_table,
)
from cogs.pages.table.waiting import continue_button, paused_text
from cogs.pages.verbs import Verb
from engine import Phase, RoundResult

Ratings = Mapping[UserId, Rating]
"""User id -> rating."""
SCORE_FILE = "score.png"
"""The name of the attached file with the picture of the match."""


def result_page(
    state: Game,
    words: Speaker,
    *,
    countdown: bool = True,
    ratings: Ratings | None = None,
    alt: str | None = None,
) -> Page:
    """Return the result of the last round: order of going out, calls, points.

    It names those who played the round, even if others have their seats now. After the match the
    winners follow, with the `ratings` after the match, and the scores of all rounds as a picture or
    table. Within a match the start of the next round follows if `countdown` is true.

    `alt` is the alternative text of the match's picture; with it `SCORE_FILE` must be attached.
    """
    result, match, as_played = state.match.results[-1], state.match, state.as_played()
    is_match_over = match.phase is Phase.MATCH_END
    blocks: list[Part] = [text(_heading(state, result, words))]
    if match.variant.scored:
        blocks += [
            text(round_story(as_played, result, words)),
            text(scores_table(as_played, result, words)),
        ]
    else:
        blocks.append(text(hierarchy_lines(as_played, words)))
        if not is_match_over:
            blocks.append(text("-# " + words.say("These are your titles for the next round.")))
    if is_match_over:
        blocks += [line(), text(_winners_text(state, words))]
        if match.totals and not match.variant.fixed_partners:
            blocks.append(text(final_standing(state, words)))
        if ratings:
            blocks.append(text(_ratings_text(state, ratings, words)))
        if alt is not None:
            blocks.append(gallery(SCORE_FILE, alt))
        elif match.totals and len(match.results) > 1:
            blocks.append(text(all_rounds_table(state, words)))
    awaits_next_round = state.between_rounds and countdown and not state.all_ready
    if awaits_next_round:
        blocks += [line(), text(_next_round_text(state, words))]
    blocks += small_print(result_deal_line(state, words))
    if is_match_over or awaits_next_round:
        blocks += result_buttons(state, words, over=is_match_over)
    return Page(*blocks, accent=discord.Colour(0xC8963E if is_match_over else 0x2F6F4F))


def _heading(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return the heading: the round's number, and that of all rounds if it is fixed."""
    say, rounds = words.say, state.options.rules.rounds
    number = say.number(result.number)
    if rounds:
        return say("## Round {number} of {rounds}", number=number, rounds=say.number(rounds))
    return say("## Round {number}", number=number)


def result_buttons(state: Game, words: Speaker, *, over: bool) -> list[Part]:
    """Return the rows of buttons of a result.

    After the match (`over`) they offer a rematch or a new lobby. Between rounds there is a row for
    the players, and one for people who want to take a computer player's seat.
    """
    say = words.say
    if over:
        controls = Controls(state.id, state.revision)
        buttons = [controls.button(Verb.REMATCH, say("Rematch"), style=discord.ButtonStyle.success)]
        if has_partners(state.options):
            buttons.append(controls.button(Verb.NEW_PARTNERS, say("Rematch, new partners")))
        return [row(*buttons, controls.button(Verb.NEW_LOBBY, say("New lobby")))]
    rows = [between_rounds_row(state, words)]
    if free_seats(state):
        controls = Controls(state.id, state.revision)
        rows.append(row(controls.button(Verb.SIT, say("Join instead of a computer"))))
    return rows


def between_rounds_row(state: Game, words: Speaker) -> Part:
    """Return the row of players' buttons between two rounds: be ready, pause or continue.

    It is on the result and on each hand, because the result may be deleted or not posted.
    """
    controls = Controls(state.id, state.revision)
    buttons = [_ready_button(state, controls, words)]
    if state.timers.paused:
        buttons.insert(0, continue_button(state, words))
    elif not state.options.turn_based:
        buttons.append(controls.button(Verb.PAUSE, words.say("Pause")))
    return row(*buttons)


def _ready_button(state: Game, controls: Controls, words: Speaker) -> Part:
    """Return the button that starts the next round once everybody has pressed it."""
    say, (count, people) = words.say, state.readiness
    label = say("Ready")
    if people > 1:
        label = say("Ready ({count}/{people})", count=say.number(count), people=say.number(people))
    colours = discord.ButtonStyle
    style = colours.secondary if state.timers.paused else colours.success
    return controls.button(Verb.READY, label, style=style)


def countdown_fingerprint(state: OpenTable) -> object:
    """Return a value that changes whenever the result must be rewritten between two rounds."""
    if not isinstance(state, Game):
        return None
    return state.timers.paused, state.chairs, state.readiness, state.all_ready


def _next_round_text(state: Game, words: Speaker) -> str:
    """Return the sentence on when the next round starts, or how the pause ends."""
    say = words.say
    start_time = state.timers.deadlines.get("next_round")
    if start_time is not None and not state.timers.paused:
        return say("The next round starts {when}.", when=discord.utils.format_dt(start_time, "R"))
    if not state.timers.paused:
        return say("Press **Ready** for the next round.")
    return paused_text(state, words)


def _winners_text(state: Game, words: Speaker) -> str:
    """Return the heading with the winners of the match."""
    say = words.say
    columns = state.match.winners
    winners = " & ".join(column_name(state, column, words) for column in columns)
    seats = [seat for column in columns for seat in seats_of_column(state, column)]
    if not state.match.variant.scored:
        return "# 👑 " + say("{name} ends as Great Lord!", name=winners)
    if len(seats) == 1:
        return "# 🏆 " + say("{name} wins the match!", name=winners)
    return "# 🏆 " + say("{team} win the match!", team=winners)


def _ratings_text(state: Game, ratings: Ratings, words: Speaker) -> str:
    """Return the line of ratings after the match, with their changes."""
    say = words.say
    parts = []
    for chair in state.people():
        if chair.user_id is not None and chair.user_id in ratings:
            now = round(ratings[chair.user_id].shown)
            before = state.credits.ratings.get(chair.user_id)
            change = "" if before is None else f" ({say.signed(now - before)})"
            parts.append(f"{seat_name(state, chair.seat, words)} **{say.number(now)}**{change}")
    return "📈 " + say("Ratings: {ratings}", ratings=" · ".join(parts))
