"""A running table: commands, leaving, stopping, deleted messages and channels, two tables."""

from __future__ import annotations

import discord
from simcord import ChannelHandle

from bot.ids import ChannelId, TableId, UserId
from bot.table.dealing import revealed_secret
from bot.table.state import TableState
from cogs.pages.verbs import Verb
from engine import Phase, card_set
from tests.cogs.eyes import cards_in
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, match_over, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import dealt, open_hands, seat_all, seat_without_hands
from tests.cogs.test_clock import QUIET
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    Person,
    controls,
    find,
    has,
    messages,
    numbers,
    private,
    requests_since,
    shown,
    text,
    with_verb,
)

PEOPLE = ("Ada", "Ben", "Cai", "Dan")


async def until(world: World, phase: Phase) -> TableState:
    """Play to this phase."""
    await fast_forward(world, reached(phase))
    return world.table()


async def ended(world: World, table_id: TableId) -> tuple[str, str | None]:
    """Return the stored status of a table, and the reason its match ended."""
    table, match = (
        await world.bot.store.tables.get(table_id),
        await world.bot.store.history.match(table_id),
    )
    assert table is not None
    return table.status, match.reason if match else None


async def delete(world: World, channel: ChannelHandle) -> None:
    """Delete a channel or thread as a moderator."""
    world.env.backend.delete_channel(channel.id)
    await world.env.settle()


async def test_table_can_be_reposted(world: World) -> None:
    players = await seat_all(world, world.people(*PEOPLE))
    await until(world, Phase.TURN)
    old, _ = world.newest_with(Verb.HAND)
    assert private(await players[1].person.slash("tichu table"))
    new, _ = world.newest_with(Verb.HAND)
    assert new.id != old.id
    before = text(old)
    await until(world, Phase.CLOSING)
    assert text(old) == before
    assert text(new) != before
    assert world.game().messages.table == new.id
    await players[0].person.press(Verb.HAND)


async def test_command_opens_the_hand(world: World) -> None:
    *people, eve = world.people(*PEOPLE, "Eve")
    players = await seat_all(world, people)
    result = await people[2].slash("tichu hand")
    assert result.response is not None
    players[2].hand = result.response
    await players[2].press_with(Verb.GRAND, "no")
    assert refusal("not-seated") in private(await eve.slash("tichu hand"))
    assert refusal("not-seated") in private(await eve.press(Verb.HAND))
    assert numbers(private(await eve.press(Verb.MORE)).splitlines()[0])[-1] == 1, "the round"
    assert numbers(private(await eve.press(Verb.LOG)).splitlines()[0]) == [1], "the round"


async def test_player_who_leaves_is_replaced_permanently(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"), target=100)
    ada, ben = (player.person for player in players)
    await until(world, Phase.EXCHANGE)
    assert private(await world.leave_match(ben))
    chair = world.table().chairs[1]
    assert (chair.kind, chair.user_id) == ("computer", None)
    assert (await world.bot.store.tables.all_open())[0].seats == world.table().seat_records()
    assert chair.name in text(world.newest_with(Verb.HAND)[0])
    assert refusal("not-seated") in private(await ben.press(Verb.HAND))
    assert refusal("last-person") in private(await world.leave_match(ada))
    await begin_by_clicks(world, players[:1], match_over, clicks=tricks(1, world.game().match))
    assert await ended(world, TableId(1)) == ("finished", "finished")


async def test_play_continues_at_once_after_a_departure(world: World) -> None:
    players = await seat_all(world, world.people(*PEOPLE))
    for player in players[:3]:
        await player.press_with(Verb.GRAND, "no")
    await world.leave_match(players[3].person)
    await world.to_next_deadline()
    assert world.game().phase is Phase.EXCHANGE
    assert all(player.can(Verb.PICK) for player in players[:3])
    await world.check_replay()


async def test_vote_stops_a_match(world: World) -> None:
    *people, eve = world.people(*PEOPLE, "Eve")
    players = await seat_all(world, people)
    await until(world, Phase.TURN)
    assert refusal("not-seated") in private(await eve.slash("tichu stop"))
    for voter, votes in ((0, 1), (1, 2), (1, 2)):
        assert numbers(private(await people[voter].slash("tichu stop"))) == [votes, 3]
        assert numbers(world.newest_with(Verb.AGREE)[0])[:2] == [votes, 3]
    assert world.table().running
    await people[2].slash("tichu stop")
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    assert await ended(world, TableId(1)) == ("stopped", "stopped")
    assert revealed_secret(world.last_game()) is not None
    assert "🔓" in text(messages(world.env, world.channel)[-1])
    live = (Verb.HAND, Verb.MORE, Verb.AGREE, Verb.PLAY_ON)
    assert not any(has(message, *live) for message in messages(world.env, world.channel))
    assert all(controls(player.hand) == [] for player in players)
    await world.env.advance_time(3600)
    await eve.slash("tichu new")
    assert world.table().status == "lobby"


async def test_match_stopped_between_rounds_has_no_countdown(world: World) -> None:
    people = world.people(*PEOPLE)
    await seat_without_hands(world, people)
    await until(world, Phase.ROUND_END)
    for person in people[:3]:
        await person.slash("tichu stop")
    assert await ended(world, TableId(1)) == ("stopped", "stopped")
    assert not any(has(message, Verb.PAUSE) for message in messages(world.env, world.channel))


async def test_moderator_stops_at_once_after_a_confirmation(world: World) -> None:
    role = world.guild.create_role("moderators", permissions=discord.Permissions(8192))
    user = world.env.create_user("mod")
    moderator = Person(world.env, world.guild.add_member(user, roles=[role]), world.channel)
    ada, *_ = await seat_all(world, world.people(*PEOPLE))
    assert private(await moderator.slash("tichu stop"))
    assert world.game().running
    message, stop = moderator.holding(Verb.STOP_NOW), Verb.STOP_NOW
    forged = await forge(ada.person, ada.hand, find(message, stop).custom_id)
    assert refusal("moderators-only") in private(forged)
    assert world.game().running
    await moderator.press(Verb.STOP_NOW)
    assert await ended(world, TableId(1)) == ("stopped", "stopped")


async def test_page_says_how_a_moderators_stop_ends_the_match(world: World) -> None:
    """In Grand Seigneur a player's stop lets the round end first, a second one does not."""
    role = world.guild.create_role("moderators", permissions=discord.Permissions(8192))
    user = world.env.create_user("mod")
    moderator = Person(world.env, world.guild.add_member(user, roles=[role]), world.channel)
    (ada,) = world.people("Ada")
    options = {"variant": "grandseigneur", "computers": 3}
    await moderator.slash("tichu new", **options)
    await world.join(ada)
    await moderator.press(Verb.START)
    asked = private(await moderator.slash("tichu stop"))
    assert SAY("It ends with a result after this round.") in asked
    assert SAY("It ends at once.") not in asked
    question = moderator.holding(Verb.STOP_NOW)
    votes = [each.label for each in controls(question) if each.verb == Verb.STOP_VOTE]
    assert len(votes) == 1
    assert "2" in text(question)
    await moderator.press(Verb.STOP_NOW)
    assert world.game().running
    assert world.game().last_round
    again = private(await moderator.slash("tichu stop"))
    assert SAY("It ends at once, without a winner.") in again
    await moderator.press(Verb.STOP_NOW)
    assert await ended(world, TableId(1)) == ("stopped", "stopped")


async def test_players_agree_to_stop_or_play_on(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await seat_without_hands(world, [ada, ben, cai])
    await until(world, Phase.TURN)
    await ada.press(Verb.MORE)
    await ada.press(Verb.STOP)
    assert world.game().notes.votes == ()
    await ada.press(Verb.STOP_VOTE)
    vote, _ = world.newest_with(Verb.AGREE)
    assert world.game().messages.vote == vote.id
    assert shown(vote, "Ada", "Ben", "Cai") == ["Ada"]
    assert numbers(vote) == [1, 2]
    await ben.press(Verb.PLAY_ON, on=vote)
    assert has(vote, Verb.AGREE), "two of three could still agree"
    await cai.press(Verb.PLAY_ON, on=vote)
    assert controls(vote) == []
    assert world.game().messages.vote is None
    assert world.game().notes.votes == ()

    await ben.slash("tichu stop")
    second, button = world.newest_with(Verb.AGREE)
    assert second.id != vote.id
    await world.restart()
    assert numbers(second) == [1, 2]
    await ada.press(Verb.AGREE, on=second)
    assert await ended(world, TableId(1)) == ("stopped", "stopped")
    assert second.id not in [message.id for message in messages(world.env, world.channel)]
    stale = await forge(cai, second, button.custom_id)
    assert refusal("table-over") in "".join(map(text, stale.followups)) + private(stale)


async def test_vote_ends_with_its_round_and_leaving_does_not_decide_it(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada, ben], target=5000)
    await until(world, Phase.TURN)
    await ada.slash("tichu stop")
    vote, agree = world.newest_with(Verb.AGREE)
    await world.leave_match(ben)
    assert world.game().running
    assert numbers(vote) == [1, 1]
    await until(world, Phase.GRAND)
    assert controls(vote) == []
    assert private(await forge(ada, vote, agree.custom_id))
    assert world.game().running, "the vote is over, and its button begins no other"
    assert world.game().notes.votes == ()


async def test_only_the_newest_vote_has_buttons(world: World) -> None:
    """The first vote ends and the second begins before Discord accepts either message."""
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await seat_without_hands(world, [ada, ben, cai], target=5000)
    await until(world, Phase.TURN)
    table = world.newest_with(Verb.HAND)[0]
    world.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    await ada.slash("tichu stop")
    await forge(ada, table, f"b:{world.game().id}:0:play-on:")
    assert world.game().notes.votes == ()
    await ben.slash("tichu stop")
    world.env.backend.faults.clear()
    await world.env.advance_time(20)
    live = [m for m in messages(world.env, world.channel) if has(m, Verb.AGREE)]
    assert [m.id for m in live] == [world.game().messages.vote]
    assert shown(live[0], "Ada", "Ben") == ["Ben"]


async def test_next_round_begins_when_everybody_is_ready(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada, ben], target=5000)
    await until(world, Phase.ROUND_END)
    result, button = world.newest_with(Verb.READY)
    assert numbers(button.label) == [0, 2]
    await ada.press(Verb.READY, on=result)
    assert numbers(with_verb(result, Verb.READY)[0].label) == [1, 2]
    assert world.game().phase is Phase.ROUND_END
    await world.restart()
    assert world.game().notes.ready == (ada.id,)
    await ben.press(Verb.READY, on=result)
    await world.to_next_deadline()
    assert world.game().phase is Phase.GRAND
    assert world.game().notes.ready == ()
    left = {control.verb for control in controls(result)}
    assert left - {Verb.SHARE_MOMENT} == {Verb.REPLAY, Verb.REVIEW}
    answer = await forge(ben, result, button.custom_id)
    assert refusal("stale") in private(answer)
    assert answer.response is not None
    assert has(answer.response, Verb.GRAND), "they get the hand that they are ready for"


async def test_deleted_table_message_is_reposted(world: World) -> None:
    await seat_without_hands(world, world.people(*PEOPLE))
    await until(world, Phase.TURN)
    old, _ = world.newest_with(Verb.HAND)
    world.env.backend.delete_message(world.channel.id, old.id)
    await until(world, Phase.CLOSING)
    new, _ = world.newest_with(Verb.HAND)
    assert world.game().messages.table == new.id != old.id
    begin = len(messages(world.env, world.channel))
    await until(world, Phase.LEAD)
    assert world.newest_with(Verb.HAND)[0].id == new.id
    assert len(messages(world.env, world.channel)) <= begin + 1  # at most a line for a call


async def test_deleted_channel_closes_the_table(world: World) -> None:
    people = world.people(*PEOPLE)
    await seat_without_hands(world, people)
    other = world.guild.create_text_channel("other")
    await Person(world.env, people[0].member, other).slash("tichu new")
    await delete(world, world.channel)
    assert await ended(world, TableId(1)) == ("stopped", "stopped")
    await delete(world, other)
    assert await ended(world, TableId(2)) == ("stopped", None)
    assert list(world.bot.tables.all()) == []
    await world.env.advance_time(3600)


async def test_deleted_thread_closes_the_table(world: World) -> None:
    (ada,) = world.people("Ada")
    for target in ("thread", "channel"):
        await ada.slash("tichu new", thread=True, computers=3)
        thread = world.channel.threads[-1]
        await seat_thread(world, Person(world.env, ada.member, thread))
        await delete(world, thread if target == "thread" else world.channel)
        assert list(world.bot.tables.all()) == []


async def seat_thread(world: World, person: Person) -> None:
    """Start the table of a thread."""
    await person.press(Verb.START)
    assert world.table(person.channel).running


async def test_one_person_has_two_tables(world: World) -> None:
    here, there = world.channel, world.guild.create_text_channel("other")
    ada, ben = world.people("Ada", "Ben")
    both = [Person(world.env, person.member, there) for person in (ada, ben)]
    first = await seat_all(world, [ada, ben])
    second = await seat_all(world, both)
    await second[0].press_with(Verb.GRAND, "no")
    state, other = world.game(here).round, world.game(there).round
    assert state is not None
    assert other is not None
    assert state.opening.answers[0] is None
    assert other.opening.answers[0] is False
    await second[1].press_with(Verb.GRAND, "no")
    await world.to_next_deadline(there)
    assert second[0].can(Verb.PICK)
    assert first[0].can(Verb.GRAND)
    await first[0].press_with(Verb.GRAND, "no")
    await first[1].press_with(Verb.GRAND, "no")
    for players, channel in ((first, here), (second, there)):
        await fast_forward(world, reached(Phase.LEAD), players=players, channel=channel)
        begun = tricks(1, world.game(channel).match)
        closing = reached(Phase.CLOSING)
        await begin_by_clicks(world, players, closing, clicks=begun, channel=channel)
        await world.check_replay(channel)
        for player in players:
            seat = world.game(channel).seat_of(UserId(player.person.id))
            assert seat is not None
            held = world.game(channel).round.hands[seat].cards
            assert card_set(set(cards_in(player.text()))) & held == held


async def test_table_pauses_between_rounds(world: World) -> None:
    *people, eve = world.people("Ada", "Ben", "Eve")
    await seat_without_hands(world, people, target=5000)
    await until(world, Phase.ROUND_END)
    message, _ = world.newest_with(Verb.PAUSE)
    assert refusal("not-seated") in private(await eve.press(Verb.PAUSE))
    counting = text(message)
    await people[1].press(Verb.PAUSE)
    assert world.game().timers.paused
    assert has(message, Verb.RESUME)
    assert text(message) != counting, "it says so, and counts down no more"
    await world.env.advance_time(3600)
    assert world.game().phase is Phase.ROUND_END
    await people[0].press(Verb.RESUME)
    await world.env.advance_time(6)
    state = world.game()
    assert (state.phase, state.round.number) == (Phase.GRAND, 2)
    assert not with_verb(message, Verb.PAUSE, Verb.RESUME)  # the old result is only a result now
    await open_hands(world, people)


async def test_next_round_starts_automatically(world: World) -> None:
    await seat_without_hands(world, world.people("Ada", "Ben"), target=5000)
    first, _ = world.newest_with(Verb.HAND)
    await until(world, Phase.ROUND_END)
    begin = len(world.env.http_requests)
    await world.env.advance_time(21)
    assert world.game().phase is Phase.GRAND
    second, _ = world.newest_with(Verb.HAND)
    assert second.id != first.id
    posts = [r for r in requests_since(world.env, begin) if r.method == "POST"]
    assert len([r for r in posts if r.path.startswith("/channels/")]) == 1


async def test_choices_of_a_player_who_leaves_are_dropped(world: World) -> None:
    ada, ben, cai, _ = await dealt(world, QUIET)
    await ada.lead_mahjong()
    await ben.press(Verb.AUTO_PASS)
    assert world.game().kept.auto_pass == (1,)
    await world.leave_match(ben.person)
    assert world.game().kept.auto_pass == ()
    for _ in range(3):  # the window closes; the computer player calls Tichu and plays
        await world.to_next_deadline()
    assert cai.can(Verb.PLAY) or world.game().phase is Phase.WINDOW
    await world.check_replay()
