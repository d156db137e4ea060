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
from cogs.pages.table.score_lines import all_rounds, hierarchy, scores, standing, story
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
    drawn: str | None = None,
) -> Page:
    """Return the result of the last round: order of going out, calls, points.

    It names those who played the round, even if others have their seats now. After the match the
    winners follow, and without a picture the scores of all rounds. Before its end, with
    `countdown`, the start of the next round follows. `ratings` are those after the match. `drawn`
    is the alternative text of the match's picture; with it `SCORE_FILE` must be attached.
    """
    result, match, played = state.match.results[-1], state.match, state.with_round_players()
    over = match.phase is Phase.MATCH_END
    blocks: list[Part] = [text(_heading(state, result, words))]
    if match.variant.scored:
        blocks += [text(story(played, result, words)), text(scores(played, result, words))]
    else:
        blocks.append(text(hierarchy(played, words)))
        if not over:
            blocks.append(text("-# " + words.say("These are your titles for the next round.")))
    if over:
        blocks += [line(), text(_winners(state, words))]
        if match.totals and not match.variant.fixed_partners:
            blocks.append(text(standing(state, words)))
        if ratings:
            blocks.append(text(_ratings(state, ratings, words)))
        if drawn is not None:
            blocks.append(gallery(SCORE_FILE, drawn))
        elif match.totals and len(match.results) > 1:
            blocks.append(text(all_rounds(state, words)))
    waits = state.between_rounds and countdown and not state.all_ready
    if waits:
        blocks += [line(), text(_next(state, words))]
    blocks += small_print(result_deal_line(state, words))
    if over or waits:
        blocks += result_buttons(state, words, over=over)
    return Page(*blocks, accent=discord.Colour(0xC8963E if over else 0x2F6F4F))


def _heading(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return the number of the round, and of all if it is fixed."""
    say, rounds = words.say, state.options.rules.rounds
    number = say.number(result.number)
    if rounds:
        return say("## Round {number} of {rounds}", number=number, rounds=say.number(rounds))
    return say("## Round {number}", number=number)


def result_buttons(state: Game, words: Speaker, *, over: bool) -> list[Part]:
    """Return the rows of buttons of a result.

    Between rounds: be ready, pause or continue, and below, for others, take a seat. After the match
    (`over`): a rematch, a new lobby.
    """
    say = words.say
    if over:
        controls = Controls(state.id, state.revision)
        buttons = [controls.button(Verb.REMATCH, say("Rematch"), style=discord.ButtonStyle.success)]
        if has_partners(state.options):
            buttons.append(controls.button(Verb.NEW_PARTNERS, say("Rematch, new partners")))
        return [row(*buttons, controls.button(Verb.NEW_LOBBY, say("New lobby")))]
    rows = [to_next_round(state, words)]
    if free_seats(state):
        controls = Controls(state.id, state.revision)
        rows.append(row(controls.button(Verb.SIT, say("Join instead of a computer"))))
    return rows


def to_next_round(state: Game, words: Speaker) -> Part:
    """Return the players' buttons between two rounds: be ready, pause or continue.

    They are on the result and on each hand, because the result may be deleted or not posted.
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


def countdown_shown(state: OpenTable) -> object:
    """Return a value that changes when the result must be rewritten.

    That is while the next round is awaited and nothing else happens.
    """
    if not isinstance(state, Game):
        return None
    return state.timers.paused, state.chairs, state.readiness, state.all_ready


def _next(state: Game, words: Speaker) -> str:
    """Return the start of the next round; during a pause, how it ends."""
    say = words.say
    when = state.timers.deadlines.get("next_round")
    if when is not None and not state.timers.paused:
        return say("The next round starts {when}.", when=discord.utils.format_dt(when, "R"))
    if not state.timers.paused:
        return say("Press **Ready** for the next round.")
    return paused_text(state, words)


def _winners(state: Game, words: Speaker) -> str:
    """Return the winners of the match."""
    say = words.say
    columns = state.match.winners
    winners = " & ".join(column_name(state, column, words) for column in columns)
    seats = [seat for column in columns for seat in seats_of_column(state, column)]
    if not state.match.variant.scored:
        return "# 👑 " + say("{name} ends as Great Lord!", name=winners)
    if len(seats) == 1:
        return "# 🏆 " + say("{name} wins the match!", name=winners)
    return "# 🏆 " + say("{team} win the match!", team=winners)


def _ratings(state: Game, ratings: Ratings, words: Speaker) -> str:
    """Return the ratings after the match, with their changes."""
    say = words.say
    parts = []
    for chair in state.people():
        if chair.user_id is not None and chair.user_id in ratings:
            now = round(ratings[chair.user_id].shown)
            before = state.credits.ratings.get(chair.user_id)
            change = "" if before is None else f" ({say.signed(now - before)})"
            parts.append(f"{seat_name(state, chair.seat, words)} **{say.number(now)}**{change}")
    return "📈 " + say("Ratings: {ratings}", ratings=" · ".join(parts))
