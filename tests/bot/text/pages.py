"""All pages of the bot for a table state, and the texts on a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, cycle, product
from typing import Any

import discord

from bot.art import names
from bot.art.emojis import Emojis
from bot.computers.decision_scheduler import Decision
from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof
from bot.history.listing import PER_PAGE, HistoryQuery, Listing
from bot.history.played_round import PlayedRound, Position
from bot.history.replay import Replay
from bot.ids import ChannelId, RoleId, TableId, UserId
from bot.rating.ratings import BEGINNER
from bot.records import Status
from bot.table.details import Newcomer
from bot.table.private_game import new_private_game
from bot.table.results import match_record, round_record
from bot.table.state import Chair, Game, Lobby, OpenTable
from bot.text.cards import Speaker
from bot.text.rules import FIRST_TOPIC, GAMES
from bot.text.sentences import sentence
from cogs.pages.controls import Controls, Form, Notice, Page, row, text
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.controls import dog_targets
from cogs.pages.hand.hints import do_it_args, hint_text
from cogs.pages.hand.page import expired_hand_page, hand_page, match_over_page
from cogs.pages.hand.play_choices import offered_plays
from cogs.pages.history.page import history_page, match_page
from cogs.pages.history.replay import replay_page
from cogs.pages.history.verify import verify_page
from cogs.pages.replay_query import OPEN, PUBLIC, ReplayQuery
from cogs.pages.rules import rules_button, rules_page
from cogs.pages.table.deal_lines import fair_deal_page
from cogs.pages.table.inviting import RoleToInvite, invitation_notice, invite_page
from cogs.pages.table.lobby import closed_page, lobby_page, seats_page, taken_page
from cogs.pages.table.lobby_options import options_page
from cogs.pages.table.log import last_trick_page, log_page
from cogs.pages.table.more import more_page
from cogs.pages.table.nudge import Nudged
from cogs.pages.table.page import table_notice, table_page
from cogs.pages.table.reactions import Reaction, SentReaction
from cogs.pages.table.result import result_page
from cogs.pages.table.seats import (
    answered_offer_page,
    leave_page,
    left_page,
    offer_notice,
    watching_page,
)
from cogs.pages.table.stop_vote import stop_question_page, stop_vote_page
from cogs.pages.table.waiting import waiting_lines
from engine import (
    DECK_SIZE,
    MAHJONGS,
    Action,
    BombsReturned,
    Call,
    Called,
    CallsOpened,
    CardsPassed,
    DragonGiven,
    Event,
    LeadGiven,
    PassCards,
    Passed,
    Phase,
    Play,
    Played,
    RoundDealt,
    RoundEnded,
    TrickTaken,
    View,
    WentOut,
    Withdrawn,
    bits,
    card_text,
    write_action,
)
from engine.fair_deal import FairDeal, commitment
from players.levels import Advice
from tests.bot.states import NOON
from tests.bot.text.event_pages import for_entrants, pages_at_event
from tests.campaign import SOAK, sample

TEXT, BUTTON, ROW, SELECT = 10, 2, 1, 3

Named = Iterator[tuple[str, Page | Notice]]


def pictures() -> Emojis:
    """Return all emojis with ids as long as Discord's."""
    return Emojis(
        {
            name: discord.PartialEmoji(name=name, id=1_400_000_000_000_000_000 + number)
            for number, name in enumerate(names.pictures())
        }
    )


def lobby_pages(state: Lobby, to: Speaker) -> Named:
    """Yield all forms of a lobby, including a closed one."""
    yield "lobby", lobby_page(state, to)
    yield (
        "refusal of a taken channel",
        taken_page(sentence(to.say, Refused(Reason.CHANNEL_TAKEN)), "0", to),
    )
    yield "verify: lobby", verify_page(None, state, to)
    yield "fair deal: lobby", fair_deal_page(state, to)
    yield "seats", seats_page(state, to)
    yield from inviting_pages(state, to)
    yield from pages_at_event(state, to)
    yield "options of the host", options_page(state, state.host_id, to)
    yield "options of another", options_page(state, UserId(1), to)
    yield "stop?: lobby", stop_question_page(state, to, seated=False, moderator=True)
    statuses: tuple[Status, ...] = ("playing", "finished", "stopped", "expired")
    for status in statuses:
        yield f"closed: {status}", closed_page(replace(state, status=status), to)
    left = tuple(Chair(seat=chair.seat) for chair in state.chairs)
    yield "closed: left", closed_page(replace(state, status="expired", chairs=left), to)


def inviting_pages(state: Lobby, to: Speaker) -> Named:
    """Yield invitations, and the page to choose guests."""
    options = state.options.model_copy(update={"auto_start": True})
    taken = [
        chair if chair.kind != "empty" else Chair(seat=chair.seat, kind="computer", name="8")
        for chair in state.chairs
    ]
    starts = replace(state, options=options, chairs=tuple(taken))
    starts = starts.with_timers(deadlines={"lobby": NOON, "start": NOON})
    yield "lobby that starts by itself", lobby_page(starts, to)
    yield "options of one that starts by itself", options_page(starts, UserId(1), to)
    called = state.with_invitations(members=(UserId(1), UserId(2)), role_id=RoleId(9))
    yield "invite", invite_page(called, None, to)
    roles = (
        None,
        RoleToInvite(RoleId(9), "9"),
        RoleToInvite(RoleId(9), "9", NOON),
        RoleToInvite(RoleId(9), "9", None, "9"),
    )
    for role in roles:
        yield f"invite: {role}", invite_page(state, role, to, ("88",))
    for by in (UserId(1), None):
        yield f"invitation by {by}", invitation_notice(state, (UserId(1), UserId(2)), None, by, to)
    yield "invitation of a role", invitation_notice(state, (), RoleId(9), UserId(1), to)


def rules_pages(to: Speaker) -> Named:
    """Yield the rules of every game, topic by topic."""
    for game, texts in GAMES.items():
        for topic in texts:
            yield f"rules: {game}, {topic}", rules_page(to, topic, game)


def explaining_pages(to: Speaker) -> Named:
    """Yield buttons that lead to a topic of the rules."""
    for topic in ("tichu", "wish", "bombs"):
        yield f"explain: {topic}", Page(row(rules_button(to, "nanjing", topic)))


def table_pages(state: Game, to: Speaker) -> Named:
    """Yield all public pages of a running or finished match."""
    yield "table", table_page(state, to)
    yield "table, drawn", table_page(state, to, "1.png", "1")
    said = [SentReaction(*one) for one in zip(state.user_ids(), cycle(Reaction), strict=False)]
    yield "table, reactions", table_page(state, to, said=said)
    people = tuple(state.user_ids())
    for drawn in (False, True):
        goes_on = state.with_timers(paused=False)
        notice = table_notice(goes_on, to, Nudged(people, people[:1]), said, has_picture=drawn)
        yield f"nudge with a table, drawn: {drawn}", notice
    waited = with_newcomer(with_computers(state))
    for told, reader in product((state, waited, deserted(state)), (10**18, 1)):
        yield "who waits", Page(text("\n".join(("1", *waiting_lines(told, UserId(reader), to)))))
    for seated, moderator in product((False, True), repeat=2):
        yield "more", more_page(state, to, seated=seated, moderator=moderator)
        if seated or moderator:
            yield "stop?", stop_question_page(state, to, seated=seated, moderator=moderator)
    yield from vote_pages(state, to)
    own = Controls(state.id, state.revision)
    yield "rules of the table", rules_page(to, FIRST_TOPIC, state.options.variant, own)
    yield "log", log_page(state, to)
    yield "last trick", last_trick_page(state, to)
    yield "fair deal", fair_deal_page(state, to)
    yield from replay_pages(state, to)
    if state.match.phase in (Phase.ROUND_END, Phase.MATCH_END):
        ratings = {chair.user_id: BEGINNER for chair in state.people() if chair.user_id}
        yield "result", result_page(state, to, ratings=ratings)
        paused = state.with_timers(paused=not state.timers.paused)
        yield "result, paused", result_page(paused, to)
        yield "result, deserted", result_page(deserted(state), to)
        yield "result, seats to take", result_page(with_computers(state), to)
    if len(state.match.totals) == 2:
        equal = state.match._replace(winners=(0, 1))
        if equal.results:
            yield "result, a draw", result_page(replace(state, match=equal), to)
    yield "table, deserted", table_page(deserted(state), to)
    yield "table, newcomer", table_page(with_newcomer(with_computers(state)), to)
    early = Speaker(to.say, to.art, novices_sit_in=True)
    yield "table, no Expert yet", table_page(with_computers(state), early)


def vote_pages(state: Game, to: Speaker) -> Named:
    """Yield a vote to stop: by one person, by everybody, and its outcomes."""
    people = tuple(state.user_ids())
    for last_round in (False, True):
        yield "vote, over", stop_vote_page(replace(state, last_round=last_round), to)
    for votes in (people[:1], people):
        yield "vote", stop_vote_page(state.with_notes(votes=votes), to)
    alone = with_computers(state)
    yield "stop alone", stop_question_page(alone, to, seated=True, moderator=False)


def deserted(state: Game) -> Game:
    """Return the same table with everybody absent, paused between two rounds."""
    everybody = tuple(range(len(state.chairs)))
    return state.with_notes(away=everybody).with_timers(
        deadlines={"abandoned": state.created_at}, paused=state.phase is Phase.ROUND_END
    )


def with_computers(state: Game) -> Game:
    """Return the same table with one person and computer players of the same names."""
    first, *others = state.chairs
    robots = (chair.model_copy(update={"kind": "computer", "user_id": None}) for chair in others)
    return replace(state, chairs=(first, *robots))


def with_newcomer(state: Game) -> Game:
    """Return the same table with a newcomer for the second seat, or else the first."""
    coming = {1: Newcomer(user_id=UserId(10**18), name="88")}
    return state.with_notes(coming=coming, offers={0: UserId(10**18)})


def seat_pages(state: Game, to: Speaker) -> Named:
    """Yield pages about seats: leaving, offers, answers and choices."""
    yield "leave", leave_page(state, to)
    yield "leave, again", leave_page(state, to, "⚠️ 1")
    yield "offer", offer_notice(state, 0, UserId(10**18), to)
    for taken in (True, False):
        yield "offer, answered", answered_offer_page(UserId(10**18), to, taken=taken)
    computers = with_computers(state)
    for watched in (state, computers, with_newcomer(computers), computers.with_timers(paused=True)):
        yield "watching", watching_page(watched, UserId(10**18), to)
    yield "watching, only for others", watching_page(for_entrants(computers), UserId(10**18), to)
    private = new_private_game(computers, state.chairs[0], state.channel_id, "9" * 60)
    of_puzzle = replace(private, replayed=TableId(0))
    over = (match_over_page(each, to) for each in (state, private))
    hands = (hand_page(each, 0, to) for each in (private, of_puzzle))
    for page in (left_page(to), expired_hand_page(state, to), *over, *hands):
        yield "a hand that ended or is private", page


def replay_pages(state: Game, to: Speaker) -> Named:
    """Yield replay pages of this position, within a round and at its end.

    A campaign shows every combination of open, closed and shared; otherwise each position has one
    page, which varies.
    """
    seats = range(len(state.round.hands))
    laid = [
        Played(step.seat, step.combination, step.wish) if step.combination else Passed(step.seat)
        for step in state.round.trick
    ]
    events: list[tuple[Event, ...]] = [
        (RoundDealt(1, 0), CallsOpened(()), CardsPassed(0), WentOut(0, 1), LeadGiven(0, 1)),
        (Called(0, Call.TICHU), Called(1, Call.GRAND), Withdrawn(0, Call.TICHU)),
        (TrickTaken(0, 5), DragonGiven(0, 1, 25), BombsReturned(tuple(seats))),
        tuple(laid),
    ]
    result = state.match.results[-1] if state.match.results else None
    proof = Proof(state, 1, None)
    fair = replace(proof, deal=FairDeal(b"\xab" * 32, state.id))
    proofs = (proof, fair, replace(fair, as_dealt=True), fair)
    shown = product(zip(events, proofs, strict=True), (PUBLIC, OPEN, "0"))
    for number, ((happened, found), view) in enumerate(shown):
        if not SOAK and (number + number // 2 + len(laid)) % 2:
            continue
        told = happened if result is None else (*happened, RoundEnded(result))
        positions = (Position(state.match, told),) * 3
        played = PlayedRound(len(state.match.results), state.match, (), positions)
        replay = Replay(state, played, found)
        for sharer in (None, UserId(10**18)):
            if SOAK or (sharer is None) is (number % 3 != 1):
                query = ReplayQuery(1, 1, view, by_trick=bool(number % 2))
                yield f"replay, {view}, shared by {sharer}", replay_page(replay, query, to, sharer)
                drawn = replay_page(replay, query, to, sharer, alt="A" * 1000)
                yield f"replay, {view}, drawn, shared by {sharer}", drawn
        if state.match.phase in (Phase.ROUND_END, Phase.MATCH_END):
            yield f"replay, deal, {view}", replay_page(replay, ReplayQuery(1, 0, view), to)
            yield f"replay, end, {view}", replay_page(replay, ReplayQuery(1, 2, view), to)


def past_pages(state: Game, to: Speaker) -> Named:
    """Yield a full page of matches like this one, and pages of its rounds."""
    yield "history, nothing", history_page(Listing(HistoryQuery(), (), False, False), to)
    yield "match, nothing", match_page(state, None, (), 0, to)
    at = state.created_at
    for reason in ("finished", "stopped"):
        record = match_record(state, at, reason)
        matches = tuple((TableId(10**9 - number), record) for number in range(PER_PAGE))
        for wanted in (
            HistoryQuery(UserId(10**18)),
            HistoryQuery(UserId(0), ChannelId(10**18)),
            HistoryQuery(),
        ):
            listing = Listing(wanted, matches, True, True)
            yield f"history, {reason}", history_page(listing, to)
        results = [round_record(state, result, at) for result in state.match.results] * 12
        rounds = [
            (state, round_.model_copy(update={"number": number}))
            for number, round_ in enumerate(results, start=1)
        ]
        for page in (0, 1, 10**6):
            yield f"match, {reason}", match_page(state, record, rounds, page, to)
        called = [[seat, "grand", True] for seat in range(len(state.round.hands))]
        loud = [
            (state, round_.model_copy(update={"result": json.dumps({"calls": called})}))
            for _, round_ in rounds
            if round_.scores
        ]
        yield f"match, {reason}, everybody calls", match_page(state, record, loud, 0, to)


def verify_pages(state: Game, to: Speaker) -> Named:
    """Yield all pages about the verification of a deal, with and without deals to come."""
    said = tuple((chair.seat, "`*_~" * 16) for chair in state.chairs)
    deal = FairDeal(b"\xab" * 32, state.id, said)
    told = Proof(state, 2, commitment(deal.secret), deal, deal.deck(2, range(DECK_SIZE)), True)
    live: OpenTable | None
    for live in (None, state):
        yield "verify: nothing", verify_page(None, live, to)
        yield "verify: not from a secret", verify_page(Proof(state, 2, None), live, to)
        yield "verify: running", verify_page(Proof(state, 2, told.commitment), live, to)
        for proof in (
            told,
            replace(told, as_dealt=False, deal=FairDeal(deal.secret, state.id)),
            replace(told, number=1, dealer_drawn=True),
            replace(told, number=1, dealer_drawn=False),
        ):
            yield "verify", verify_page(proof, live, to)


def hand_pages(state: Game, chair: int, to: Speaker) -> Named:
    """Yield the hand of a chair in all its states, for all its seats.

    A campaign uses all drafts; otherwise all rare ones and a few others, chosen by the cards.
    """
    hints = replace(state, options=state.options.model_copy(update={"hints": True}))
    for seat in state.seats_of_chair(chair):
        notes = (
            Draft(note=hint_text(hints, seat, told, to), do=do_it_args(hints, seat, told))
            for told in advice(hints, seat)
        )
        often = sample((*drafts(hints, seat), *notes), 3, state.round.hands[seat].cards)
        for number, draft in enumerate((*rare_drafts(hints, seat), *often)):
            page = hand_page(hints, chair, to, replace(draft, seat=seat))
            yield f"hand {chair}, seat {seat}, draft {number}", page
    yield f"hand {chair}", hand_page(state, chair, to)
    yield f"hand {chair}, away", hand_page(deserted(state), chair, to)


def drafts(state: Game, seat: int) -> Iterator[Draft]:
    """Yield drafts: empty, a note, a call, cards chosen one by one or as offered."""
    view = state.situation(seat).upcoming
    yield Draft()
    yield Draft(note="⚠️ 1")
    yield Draft(offers_reactions=True)
    yield from (Draft(confirm=call) for call in Call)
    if any(isinstance(action, Play) for action in view.actions):
        yield Draft(chosen=view.hand.cards)
        yield from (Draft(chosen=play.cards) for play in chain(*offered_plays(view)))
        yield from (Draft(chosen=bit) for bit in list(bits(view.hand.cards))[::5])


def rare_drafts(state: Game, seat: int) -> Iterator[Draft]:
    """Yield drafts that few hands have: a bomb, an exchange, the Dog, a wish."""
    view = state.situation(seat).upcoming
    if view.bombs:
        yield Draft(bombs=view.bombs)
    if view.phase is Phase.EXCHANGE and view.gifts:
        yield from (Draft(picks=gifts) for gifts in exchanges(view))
    if len(dog_targets(view)) > 1:
        yield Draft(dog=True)
    if any(isinstance(action, Play) for action in view.actions):
        for play in chain(*offered_plays(view)):
            if play.cards & MAHJONGS:
                yield Draft(wish_for=(play.cards, play.phoenix))


def advice(state: Game, seat: int) -> Iterator[Decision]:
    """Yield advice of every kind for the seat: none, and the longest three."""
    view = state.situation(seat).upcoming
    yield ()
    actions: list[Action] = sorted(view.actions, key=lambda action: -len(write_action(action)))
    if view.phase is Phase.EXCHANGE and view.gifts:
        actions = [PassCards(seat, tuple(gifts.items())) for gifts in exchanges(view)]
    kinds = {(type(action), action[1:2] == (True,)): action for action in reversed(actions)}
    for found in (actions, [*kinds.values()]):
        for start in range(0, min(6, len(found)), 3):
            chosen = enumerate(found[start : start + 3])
            worse = -123.4 if start else 0.0
            yield tuple(Advice(action, worse * place) for place, action in chosen)


def exchanges(view: View) -> Iterator[dict[int, int]]:
    """Yield exchanges: complete with the longest names, one card twice, one card only."""
    taken, chosen, twice = 0, {}, {}
    for gift in view.gifts:
        free = sorted(bits(gift.free), key=lambda bit: -len(card_text(bit.bit_length() - 1)))
        number = gift.number - gift.forced.bit_count()
        twice[gift.receiver] = gift.forced | sum(free[:number])
        chosen[gift.receiver] = gift.forced | sum([bit for bit in free if not bit & taken][:number])
        taken |= chosen[gift.receiver]
    yield chosen
    yield twice
    yield {view.gifts[0].receiver: chosen[view.gifts[0].receiver]}


def every_page(tables: Iterable[Game], to: Speaker) -> Iterator[tuple[Game, str, Page | Notice]]:
    """Yield all pages of tables with a match; of a large one only the first and last hands.

    Pages that show no position come once for all tables that are equal on them.
    """
    known = []
    for state in tables:
        for name, page in position_pages(state, to):
            yield state, name, page
        names = tuple(chair.name for chair in state.chairs)
        alike = (state.options, names, state.status, state.deal, len(state.match.results))
        if alike not in known:
            known.append(alike)
            for name, page in chain(verify_pages(state, to), past_pages(state, to)):
                yield state, name, page


def position_pages(state: Game, to: Speaker) -> Named:
    """Yield all pages that show a position: the table, its seats and hands."""
    yield from table_pages(state, to)
    yield from seat_pages(state, to)
    last = len(state.chairs) - 1
    for chair in sorted({*range(min(last, 3) + 1), last}):
        yield from hand_pages(state, chair, to)


def parts(page: Page | Notice | Form) -> list[Mapping[str, Any]]:
    """Return all components of a page in reading order, the text of a notice first."""
    sent: Sequence[Mapping[str, Any]] = page.to_components()
    content = [text(page.content)] if isinstance(page, Notice) else []
    return list(_walk((*content, *sent)))


def _walk(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components") or ())
        if "component" in component:
            yield from _walk((component["component"],))


def words(page: Page | Notice | Form) -> list[str]:
    """Return all texts on a page."""
    return deal_words(parts(page))


def deal_words(components: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return all texts in these components."""
    found: list[str | None] = []
    for part in components:
        found += [part.get(name) for name in ("content", "label", "description", "placeholder")]
        for option in part.get("options") or ():
            found += [option["label"], option.get("description")]
    return [text for text in found if text]
