"""The public message at the end of a round or of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.ids import UserId
from bot.score_records import Rating
from bot.table.match_length import winners_of
from bot.table.moments import moment
from bot.table.rematch import has_partners
from bot.table.seats import free_seats
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import (
    GOLD,
    Controls,
    Notice,
    Page,
    Part,
    button_rows,
    gallery,
    line,
    row,
    text,
)
from cogs.pages.names import column_name, seat_name, seats_of_column
from cogs.pages.replay_query import LAST_PLACE, ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.table.deal_lines import result_deal_line, small_print, stopped_deal_line
from cogs.pages.table.page import totals
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
    winners follow, and without a picture the scores of all rounds. Before its end, with
    `countdown`, the start of the next round follows. `ratings` are those after the match. `alt`
    is the alternative text of the match's picture; with it `SCORE_FILE` must be attached.
    """
    result, match, played = state.match.results[-1], state.match, state.with_round_players()
    over = match.phase is Phase.MATCH_END
    blocks: list[Part] = [text(_heading(state, result, words))]
    if match.variant.scored:
        blocks += [
            text(round_story(played, result, words)),
            text(scores_table(played, result, words)),
        ]
    else:
        blocks.append(text(hierarchy_lines(played, words)))
        if not over:
            blocks.append(text("-# " + words.say("These are your titles for the next round.")))
    if over:
        blocks += [line(), text(_winners(state, words))]
        if match.totals and not match.variant.fixed_partners:
            blocks.append(text(final_standing(state, words)))
        if ratings:
            blocks.append(text(_ratings(state, ratings, words)))
        if alt is not None:
            blocks.append(gallery(SCORE_FILE, alt))
        elif match.totals and len(match.results) > 1:
            blocks.append(text(all_rounds_table(state, words)))
    waits = state.between_rounds and countdown and not state.all_ready
    if waits:
        blocks += [line(), text(_next(state, words))]
    blocks += small_print(result_deal_line(state, words))
    if over or waits:
        blocks += result_buttons(state, words, over=over)
    else:
        blocks.append(row(*replay_buttons(state, words)))
    return Page(*blocks, accent=GOLD if over else discord.Colour(0x2F6F4F))


def _heading(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return the number of the round, and of all if it is fixed."""
    say, rounds = words.say, state.options.rounds
    number = say.number(result.number)
    if rounds:
        return say("## Round {number} of {rounds}", number=number, rounds=say.number(rounds))
    return say("## Round {number}", number=number)


def result_buttons(state: Game, words: Speaker, *, over: bool) -> list[Part]:
    """Return the rows of buttons of a result.

    Between rounds the first row is `between_rounds_row`. The second one has the replay, and a seat
    for people who watch. After the match (`over`) there are only the `match_buttons`.
    """
    if over:
        return match_buttons(state, words)
    replay = replay_buttons(state, words)
    if free_seats(state):
        controls = Controls(state.id, state.revision)
        replay.append(controls.button(Verb.SIT, words.say("Join instead of a computer")))
    return [between_rounds_row(state, words), row(*replay)]


def match_buttons(state: Game, words: Speaker) -> list[Part]:
    """Return the rows of buttons after a match: play again, and see or share its last round."""
    say, controls = words.say, Controls(state.id, state.revision)
    buttons = [controls.button(Verb.REMATCH, say("Rematch"), style=discord.ButtonStyle.success)]
    if has_partners(state.options):
        buttons.append(controls.button(Verb.NEW_PARTNERS, say("Rematch, new partners")))
    buttons.append(controls.button(Verb.NEW_LOBBY, say("New lobby")))
    return button_rows([*buttons, *replay_buttons(state, words, over=True)])


def replay_buttons(state: Game, words: Speaker, *, over: bool = False) -> list[Part]:
    """Return the buttons to replay, review and share the last finished round, if there is one.

    The replay begins with the deal. After the match (`over`) its last position can be shared. If
    the round has a moment worth sharing, another button shares its bomb or Tichu.
    """
    if not state.match.results:
        return []
    say, controls = words.say, Controls(state.id)
    begin = ReplayQuery(state.match.results[-1].number)
    review = ReviewQuery(begin.number).to_args("result")
    buttons = [
        controls.button(Verb.REPLAY, say("Replay"), begin.to_args("result"), emoji="🎬"),
        controls.button(Verb.REVIEW, say("Review"), review, emoji="🔎"),
    ]
    if over:
        end = replace(begin, place=LAST_PLACE).to_args("result")
        buttons.append(controls.button(Verb.SHARE_REPLAY, say("Share"), end, emoji="📣"))
    if state.options.policy.pictures and (shared := moment(state)):
        label = say("Share the bomb") if shared.kind == "bomb" else say("Share the Tichu")
        trick = f"{begin.number}.{shared.trick}"
        buttons.append(controls.button(Verb.SHARE_MOMENT, label, trick, emoji="🎞️"))
    return buttons


def stopped_notice(state: Game, news: str, words: Speaker) -> Notice:
    """Return the end of a stopped match: `news`, the score of its finished rounds, buttons."""
    lines = [news]
    if state.match.results and state.match.totals:
        lines.append(totals(state, state.views.public, words))
    deal = stopped_deal_line(state, words)
    return Notice("\n".join([*lines, *([deal] if deal else [])]), *match_buttons(state, words))


def between_rounds_row(state: Game, words: Speaker) -> Part:
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


def countdown_fingerprint(state: OpenTable) -> object:
    """Return a value that changes when a result must be rewritten before the next round."""
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
    columns = winners_of(state.match)
    if not columns:
        return "# 🤝 " + say("The match is a draw.")
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
