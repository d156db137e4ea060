"""New owners of seats: `/tichu leave` in a match, offers, newcomers between rounds."""

from __future__ import annotations

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.ids import TableId, UserId
from bot.table.computer_names import COMPUTER_NAMES
from bot.table.state import seats_to_act
from bot.text.cards import Speaker
from cogs.pages.table.seats import answered_offer_page, left_page, watching_page
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.eyes import Eyes, cards_in
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, play_on, seat_all
from tests.cogs.test_absent import LIMIT, check_shares, said
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, fire_all, messages, requests_since, shown, text, with_verb

PEOPLE = ("Ada", "Ben", "Cai", "Dan")


@pytest.fixture
def eyes(world: World) -> Eyes:
    """Check everything the bot sends for hidden cards."""
    return Eyes(world)


async def asked(person: Person) -> ResponseMessage:
    """Return the private question of `/tichu leave`."""
    result = await person.slash("tichu leave")
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def assert_gone(player: HandPlayer) -> None:
    """Check that the former hand of this player shows that they left, and nothing else."""
    (frame,) = left_page(Speaker(SAY, player.world.bot.art)).to_components()
    assert player.text() == frame["components"][0]["content"]
    assert not player.controls()
    assert not list(cards_in(player.text()))


def answered(world: World, member: Person, *, taken: bool) -> str:
    """Return the text of an offer that this member has answered."""
    words = Speaker(SAY, world.bot.art)
    (frame,) = answered_offer_page(UserId(member.id), words, taken=taken).to_components()
    return str(frame["components"][0]["content"])


def watching(world: World, person: Person) -> str:
    """Return the text for a watcher who asks for a hand."""
    page = watching_page(world.game(), UserId(person.id), Speaker(SAY, world.bot.art))
    (frame,) = page.to_components()
    return str(frame["components"][0]["content"])


async def ask(person: Person, other: Person, question: ResponseMessage) -> InteractionResult:
    """Choose the member who is to get the seat."""
    (select,) = with_verb(question, Verb.TO_MEMBER)
    return await person.member.select(question, [other.member], custom_id=select.custom_id)


async def begun(
    world: World, names: tuple[str, ...] = PEOPLE, **options: object
) -> tuple[list[HandPlayer], list[Person]]:
    """Start a match, and return its players with two other members, Eve and Finn."""
    *people, eve, finn = world.people(*names, "Eve", "Finn")
    players = await seat_all(world, people, **LIMIT | options)
    for player in players:
        player.calls = 0.0
    await fast_forward(world, reached(Phase.TURN))
    return players, [eve, finn]


async def to_the_result(world: World, players: list[HandPlayer]) -> None:
    """Play a trick by clicks, then the rest of the round without."""
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, players, reached(Phase.ROUND_END), clicks=enough)


async def test_leaving_can_be_cancelled_and_the_new_owner_is_checked(world: World) -> None:
    (ada, ben, *_), (eve, finn) = await begun(world)
    state = world.table()
    assert refusal("not-seated") in said(await eve.slash("tichu leave"))
    question = await asked(ada.person)
    assert world.table() == state
    (stay,) = with_verb(question, Verb.STAY)
    await ada.person.member.click(question, custom_id=stay.custom_id)
    assert not with_verb(question, Verb.STAY, Verb.TO_COMPUTER, Verb.TO_MEMBER)
    assert world.table() == state

    question = await asked(ben.person)
    for member, name in ((ada.person, "Ada"), (ben.person, "Ben")):
        await ask(ben.person, member, question)
        assert refusal("member-seated", name=name) in text(question)
    robot = Person(
        world.env,
        world.guild.add_member(world.env.create_user("robot", bot=True)),
        world.channel,
    )
    await ask(ben.person, robot, question)
    assert refusal("member-is-bot", name="robot") in text(question)
    assert world.table() == state
    forged = f"s:{state.id}:{state.revision}:to-member:"
    assert refusal("unknown-button") in said(
        await forge(eve, world.newest_with(Verb.HAND)[0], forged, ["1"])
    )
    await forge(ben.person, question, forged, ["1"])
    assert world.table() == state
    await can_be_taken_back(world, ben.person, eve, finn)


async def can_be_taken_back(world: World, ben: Person, eve: Person, finn: Person) -> None:
    """Check that an offer can be changed from Eve to Finn and withdrawn."""
    question = await asked(ben)
    await ask(ben, eve, question)
    old, old_take = world.newest_with(Verb.TAKE_SEAT)
    await ask(ben, finn, question)
    assert world.game().notes.offers == {1: finn.id}
    refused = await eve.member.click(old, custom_id=old_take.custom_id)
    assert refusal("no-offer") in said(refused)
    (stay,) = with_verb(question, Verb.STAY)
    await ben.member.click(question, custom_id=stay.custom_id)
    assert world.game().notes.offers == {}
    assert refusal("no-offer") in said(await finn.press(Verb.TAKE_SEAT))
    assert world.table().chairs[1].user_id == ben.id


async def test_seat_is_given_to_a_computer_player_permanently(world: World, eyes: Eyes) -> None:
    players, _ = await begun(world)
    _, ben, *_ = players
    await world.leave_match(ben.person)
    chair = world.table().chairs[1]
    assert (chair.kind, chair.user_id) == ("computer", None)
    assert chair.name in COMPUTER_NAMES
    said_to_all = messages(world.env, world.channel)[-1]
    assert sorted(shown(said_to_all, chair.name, "Ben")) == sorted([chair.name, "Ben"])
    assert_gone(ben)
    rest = [player for player in players if player is not ben]
    await to_the_result(world, rest)
    await check_shares(world)
    assert eyes.leaks == []


async def test_member_sees_the_hand_only_after_accepting_a_seat(world: World, eyes: Eyes) -> None:
    players, (eve, finn) = await begun(world)
    ada, ben, cai, _ = players
    hidden = ben.text()
    question = await asked(ben.person)
    requests = len(eyes.sent)
    await ask(ben.person, eve, question)
    assert world.table().chairs[1].user_id == ben.person.id, "not before Eve has said yes"
    assert not [s for s in eyes.sent[requests:] if s.reader == eve.id]
    offer, take = world.newest_with(Verb.TAKE_SEAT)
    assert f"<@{eve.id}>" in text(offer)
    pings = [s.body["allowed_mentions"] for s in eyes.sent[requests:] if s.reader is None]
    assert [ping["users"] for ping in pings if ping.get("users")] == [[eve.id]]
    for other in (finn, cai.person, ben.person):
        for verb in (Verb.TAKE_SEAT, Verb.NO_SEAT):
            assert refusal("no-offer") in said(await other.press(verb))
    assert world.table().chairs[1].user_id == ben.person.id

    result = await eve.member.click(offer, custom_id=take.custom_id)
    assert result.response is not None
    assert result.response.ephemeral
    chair = world.table().chairs[1]
    assert (chair.kind, chair.user_id, chair.name) == ("person", eve.id, "Eve")
    assert not with_verb(offer, Verb.TAKE_SEAT, Verb.NO_SEAT)
    assert text(offer) == answered(world, eve, taken=True)
    assert hidden not in ben.text()
    assert_gone(ben)
    seen = len(eyes.sent)
    assert watching(world, ben.person) in said(await ben.person.slash("tichu hand"))
    state = world.table()
    await forge(ben.person, ben.hand, f"b:{state.id}:{state.revision}:refresh:")
    assert ben.text() == watching(world, ben.person)
    new = HandPlayer(world, eve, 9)
    new.hand = result.response
    new.calls = 0.0
    others = [player for player in players if player is not ben]
    await to_the_result(world, [new, *others])
    told = [s for s in eyes.sent[seen:] if s.reader == ben.person.id]
    assert len(told) <= 2, "that they watch, twice"
    assert eyes.leaks == []
    (round_,) = await world.bot.store.history.rounds(TableId(1))
    assert (round_.seats[1].user_id, round_.seats[1].counts_for) == (eve.id, eve.id)
    assert round_.seats[0].counts_for == ada.person.id
    await check_shares(world)
    await world.check_replay()


async def test_member_may_decline_and_an_offer_survives_a_restart(
    world: World,
) -> None:
    (_, ben, *_), (eve, finn) = await begun(world)
    question = await asked(ben.person)
    await ask(ben.person, eve, question)
    offer, _ = world.newest_with(Verb.TAKE_SEAT)
    await eve.press(Verb.NO_SEAT)
    assert text(offer) == answered(world, eve, taken=False)
    assert world.game().notes.offers == {}
    assert world.table().chairs[1].user_id == ben.person.id
    state = world.table()
    take = f"b:{state.id}:{state.revision}:take-seat:1"
    assert refusal("no-offer") in said(await forge(eve, offer, take))
    assert world.table() == state
    await ask(ben.person, finn, question)
    await world.restart()
    await finn.press(Verb.TAKE_SEAT)
    assert world.table().chairs[1].user_id == finn.id
    await world.check_replay()


async def test_nobody_is_pinged_twice_for_one_seat(world: World) -> None:
    world.let_people_hurry()
    (_, ben, *_), (eve, finn) = await begun(world)
    question = await asked(ben.person)
    cursor = len(world.env.http_requests)
    told = []
    for at in range(20):
        await ask(ben.person, (eve, finn)[at // 2 % 2], question)
        told.append(refusal("asked-just-now", seconds=60) in text(question))
        if at % 2:
            await ben.person.press(Verb.STAY, on=question)
            question = await asked(ben.person)
    assert told.count(True) > 10
    await world.env.advance_time(61)
    question = await asked(ben.person)
    await ask(ben.person, eve, question)  # posted again without a ping
    assert world.game().notes.offers == {1: eve.id}
    assert str(eve.id) in text(world.newest_with(Verb.TAKE_SEAT)[0])
    bodies = [request.json for request in requests_since(world.env, cursor)]
    mentions = [body.get("allowed_mentions") or {} for body in bodies if isinstance(body, dict)]
    pinged = [int(user) for allowed in mentions for user in allowed.get("users", ())]
    assert sorted(pinged) == sorted([eve.id, finn.id])


async def test_last_person_can_hand_over_only_to_a_member(world: World, eyes: Eyes) -> None:
    (ada,), (eve, _) = await begun(world, ("Ada",))
    assert refusal("last-person") in said(await world.leave_match(ada.person))
    await ask(ada.person, eve, await asked(ada.person))
    await eve.press(Verb.TAKE_SEAT)
    assert [chair.user_id for chair in world.table().people()] == [eve.id]
    assert world.table().running
    assert eyes.leaks == []


async def round_over(world: World, names: tuple[str, ...]) -> tuple[list[HandPlayer], list[Person]]:
    """Play a match of these people and computers to the end of its first round."""
    players, others = await begun(world, names, target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    return players, others


async def test_newcomer_takes_a_computer_players_seat_between_rounds(
    world: World, eyes: Eyes
) -> None:
    players, (eve, finn) = await round_over(world, ("Ada", "Ben", "Cai"))
    result_page, sit = world.newest_with(Verb.SIT)
    assert refusal("already-seated") in said(await players[0].person.press(Verb.SIT))
    before = world.table().chairs[1].name
    result = await eve.press(Verb.SIT)
    assert result.response is not None
    assert result.response.ephemeral
    chair = world.table().chairs[1]
    assert (chair.kind, chair.user_id, chair.name) == ("person", eve.id, "Eve")
    said_to_all = messages(world.env, world.channel)[-1]
    assert shown(said_to_all, "Eve", before) == ["Eve", before]
    assert not with_verb(result_page, Verb.SIT), "no computer player is left"
    assert refusal("no-computer") in said(await forge(finn, result_page, sit.custom_id))
    new = HandPlayer(world, eve, 9)
    new.hand = result.response
    new.calls = 0.0
    await world.env.advance_time(21)
    assert new.can(Verb.GRAND), "the hand that is open shows the new cards"
    await fast_forward(world, reached(Phase.LEAD), players=[new, *players])
    await to_the_result(world, [new, *players])
    first, second = await world.bot.store.history.rounds(TableId(1))
    assert (first.seats[1].kind, first.seats[1].counts_for) == ("computer", None)
    assert (second.seats[1].kind, second.seats[1].counts_for) == ("person", eve.id)
    assert eyes.leaks == []
    await check_shares(world)


async def test_nobody_sits_down_within_a_round(world: World) -> None:
    _, (eve, finn) = await round_over(world, ("Ada", "Ben"))
    result_page, sit = world.newest_with(Verb.SIT)
    await world.env.advance_time(21)
    assert not with_verb(result_page, Verb.SIT)
    state = world.game()
    await forge(eve, result_page, sit.custom_id)
    assert world.table() == state, "they choose first"
    forged = f"s:{state.id}:{state.revision}:sit:"
    await forge(eve, result_page, forged, ["2"])
    assert world.table().chairs == state.chairs
    assert {seat: who.user_id for seat, who in world.game().notes.coming.items()} == {2: eve.id}
    assert refusal("seat-taken") in said(await forge(finn, result_page, forged, ["2"]))


async def watch(person: Person) -> ResponseMessage:
    """Return the page of a watcher, opened with My hand."""
    result = await person.press(Verb.HAND)
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


async def test_watcher_reserves_a_seat_for_after_the_round(world: World, eyes: Eyes) -> None:
    players, (eve, finn) = await begun(world, ("Ada", "Ben", "Cai"), target=5000)
    page = await watch(eve)
    assert text(page) == watching(world, eve)
    before = world.game()
    (button,) = with_verb(page, Verb.SIT)
    await eve.member.click(page, custom_id=button.custom_id)
    assert world.table().chairs == before.chairs
    assert world.game().notes.coming[1].user_id == eve.id
    assert text(page) == watching(world, eve)
    assert shown(world.newest_with(Verb.MORE)[0], "Eve") == ["Eve"], "the others are told"
    assert not with_verb(await watch(finn), Verb.SIT)
    (button,) = with_verb(page, Verb.STAY_OUT)
    await eve.member.click(page, custom_id=button.custom_id)
    assert world.game().notes.coming == {}
    (button,) = with_verb(page, Verb.SIT)
    await eve.member.click(page, custom_id=button.custom_id)
    await world.restart()
    assert world.game().notes.coming[1].user_id == eve.id
    requests = len(eyes.sent)
    await fast_forward(world, reached(Phase.ROUND_END), players=players)
    chair = world.table().chairs[1]
    assert (chair.kind, chair.user_id, chair.name) == ("person", eve.id, "Eve")
    assert world.game().phase is Phase.ROUND_END
    assert not [sent for sent in eyes.sent[requests:] if sent.reader == eve.id]
    said_to_all = messages(world.env, world.channel)[-1]
    mention = f"<@{eve.id}>"
    assert shown(said_to_all, mention, before.chairs[1].name) == [mention, before.chairs[1].name]
    pings = [sent.body.get("allowed_mentions", {}).get("users") for sent in eyes.sent[requests:]]
    assert [users for users in pings if users] == [[eve.id]], "they have waited for it"
    (round_,) = await world.bot.store.history.rounds(TableId(1))
    assert (round_.seats[1].kind, round_.seats[1].counts_for) == ("computer", None)
    await world.env.advance_time(21)
    await eve.press(Verb.HAND)
    await check_shares(world)
    await world.check_replay()
    assert eyes.leaks == []


async def test_watcher_of_a_paused_round_reads_who_can_continue_it(world: World) -> None:
    (ada,), (eve, _) = await begun(world, ("Ada",), target=5000)
    page = await watch(eve)
    (sit, *_) = with_verb(page, Verb.SIT)
    await eve.member.click(page, custom_id=sit.custom_id)
    assert world.game().notes.coming
    await world.env.advance_time(16 * 60)
    assert world.game().timers.paused
    assert world.game().notes.coming == {}
    state = world.game()
    await eve.member.click(page, custom_id=with_verb(page, Verb.STAY_OUT)[0].custom_id)
    paused_page = await watch(eve)
    assert shown(paused_page, "Ada") == ["Ada"]
    assert not with_verb(paused_page, Verb.SIT, Verb.STAY_OUT)
    assert refusal("paused") in said(await forge(eve, page, sit.custom_id))
    assert world.table() == state
    await ada.open()
    assert with_verb(await watch(eve), Verb.SIT)


async def test_watcher_without_a_free_seat_reads_who_can_offer_one(
    world: World,
) -> None:
    (ada, *_), (eve, _) = await begun(world)
    page = await watch(eve)
    assert text(page) == watching(world, eve)
    assert not with_verb(page, Verb.SIT, Verb.TAKE_SEAT)
    await ask(ada.person, eve, await asked(ada.person))
    page = await watch(eve)
    (take,) = with_verb(page, Verb.TAKE_SEAT)
    await eve.member.click(page, custom_id=take.custom_id)
    assert world.table().chairs[0].user_id == eve.id


async def test_newcomers_choose_different_seats(world: World) -> None:
    (ada, ben), (eve, finn) = await round_over(world, ("Ada", "Ben"))
    pages = []
    for person in (eve, finn):
        result = await person.press(Verb.SIT)
        assert result.response is not None
        assert result.response.ephemeral
        pages.append(result.response)
    assert world.table().chairs[1].kind == "computer"
    choices = []
    for person, page in zip((eve, finn), pages, strict=True):
        first, second = with_verb(page, Verb.SIT)
        assert (first.args, second.args) == ("1", "2")
        choices.append(person.member.click(page, custom_id=first.custom_id))
    await fire_all(world.env, choices)
    chairs = world.table().chairs
    assert chairs[1].user_id in (eve.id, finn.id)
    assert chairs[2].kind == "computer"
    late, page = (eve, pages[0]) if chairs[1].user_id == finn.id else (finn, pages[1])
    assert refusal("seat-taken") in text(page)
    (left,) = with_verb(page, Verb.SIT)
    for wrong in ("0", "77", "x"):
        await forge(late, page, left.custom_id.removesuffix("2") + wrong)
        assert world.table().chairs == chairs
    (left,) = with_verb(page, Verb.SIT)
    await late.member.click(page, custom_id=left.custom_id)
    assert [chair.kind for chair in world.table().chairs] == ["person"] * 4
    people = {chair.user_id for chair in world.table().people()}
    assert people == {ada.person.id, ben.person.id, eve.id, finn.id}
    await world.check_replay()


async def test_player_who_left_can_return_between_rounds(world: World, eyes: Eyes) -> None:
    players, _ = await begun(world, ("Ada", "Ben"), target=5000)
    ada, ben = players
    seat = world.table().seat_of(UserId(ben.person.id))
    assert seat is not None
    await world.leave_match(ben.person)
    await to_the_result(world, [ada])
    result = await ben.person.press(Verb.SIT)
    assert result.response is not None
    (button,) = [b for b in with_verb(result.response, Verb.SIT) if b.args == str(seat)]
    await ben.person.member.click(result.response, custom_id=button.custom_id)
    assert world.table().chairs[seat].user_id == ben.person.id
    await world.env.advance_time(21)
    await ben.open()
    assert ben.can(Verb.GRAND)
    assert eyes.leaks == []


async def test_newcomer_continues_a_deserted_table(world: World) -> None:
    _, (eve, _) = await begun(world, ("Ada", "Ben", "Cai"), target=5000)
    while world.game().notes.away != (0, 2, 3):
        await world.to_next_deadline()
    await fast_forward(world, reached(Phase.ROUND_END))
    assert world.game().timers.paused
    await eve.press(Verb.SIT)
    state = world.game()
    assert state.notes.away == (0, 2, 3)
    assert set(state.timers.deadlines) == {"next_round"}
    await world.env.advance_time(6)
    assert world.game().phase is Phase.GRAND
    await world.check_replay()


def match_of(world: World) -> Match:
    """Return the match at the table."""
    return world.game().match


async def test_table_pauses_when_the_last_present_player_leaves(world: World) -> None:
    (ada, ben), _ = await begun(world, ("Ada", "Ben"), target=5000)
    seat = world.table().seat_of(UserId(ben.person.id))
    await play_on(world, [ada], lambda: seats_to_act(match_of(world)) == (seat,))
    await world.env.advance_time(41)
    await to_the_result(world, [ada])
    assert (world.game().notes.away, world.game().timers.paused) == ((seat,), False)
    result_page, _ = world.newest_with(Verb.PAUSE)
    await world.leave_match(ada.person)
    assert world.game().timers.paused
    assert set(world.game().timers.deadlines) == {"abandoned"}
    assert world.game().deserted
    assert with_verb(result_page, Verb.RESUME)
    assert ben.person.id in {chair.user_id for chair in world.table().people()}
