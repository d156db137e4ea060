"""Pages of tables of events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.history.deal_proof import Proof
from bot.ids import ClubEventId
from bot.table.deadlines import lobby_deadline
from bot.table.options import TURN_BASED_S, EventLink
from bot.table.state import Game, Lobby
from bot.text.cards import Speaker
from cogs.pages.controls import Notice, Page
from cogs.pages.history.verify import verify_page
from cogs.pages.table.deal_lines import fair_deal_page
from cogs.pages.table.lobby import lobby_notice, lobby_page
from cogs.pages.table.lobby_options import options_page
from tests.bot.states import NOON


def pages_at_event(state: Lobby, to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of a lobby of an event: with people missing, or with everybody there."""
    link = EventLink(event=ClubEventId(10**9), round=10, match=10, draw=9)
    options = state.options.model_copy(update={"event": link})
    times = lobby_deadline(options, NOON)
    expected = replace(state, options=options).with_timers(deadlines=times)
    yield "lobby of an event", lobby_page(expected, to)
    yield "lobby of an event, as it mentions its people", lobby_notice(expected, to)
    yield (
        "lobby of an event that cannot start",
        lobby_page(expected.with_timers(deadlines={"lobby": NOON}), to),
    )
    here = expected.with_invitations(here=tuple(state.user_ids()))
    yield "lobby of an event, all there", lobby_page(here, to, "1.png", "1")
    yield "options of an event", options_page(expected, state.host_id, to)
    for changes in (
        {"event": link.model_copy(update={"forfeit": True, "rounds": 99, "entrants_only": True})},
        {"event": link.model_copy(update={"until": NOON}), "turn_limit_s": TURN_BASED_S[0]},
        {"event": link.model_copy(update={"until": NOON})},
    ):
        options = state.options.model_copy(update=changes)
        times = lobby_deadline(options, NOON)
        of_match = replace(state, options=options).with_timers(deadlines=times)
        yield "lobby of a tournament", lobby_page(of_match, to)
        yield "lobby of a tournament, as it mentions its people", lobby_notice(of_match, to)
    same = link.model_copy(update={"same_deals": True})
    shared = replace(state, options=state.options.model_copy(update={"event": same}))
    yield "fair deal of several tables", fair_deal_page(shared, to)
    proof = Proof(shared, 99, "5" * 64)
    yield "verify: others still play it", verify_page(proof, None, to)


def for_entrants(state: Game) -> Game:
    """Return the same table, only for people of an event who are not there."""
    link = EventLink(event=ClubEventId(1), round=1, match=0, draw=1, entrants_only=True)
    return replace(state, options=state.options.model_copy(update={"event": link}))
