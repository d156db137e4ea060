"""**Invite** in a lobby: members and the chosen role, each once and with one ping."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import InteractionResult, ResponseMessage, RoleHandle

from bot.ids import GuildId, RoleId, UserId
from bot.records import PersonalSettings, ServerSettings
from bot.storage.server_settings import ServerSettingsStore
from bot.text.people import mention, role_mention
from cogs.pages.verbs import Verb
from tests.cogs.history_pages import page
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, Wire, deny, fire_all, has, messages, text, with_verb


def pings(wire: Wire) -> list[dict[str, Any]]:
    """Return the allowed mentions of posted messages that mention anybody."""
    posted = [sent.body for sent in wire.sent if sent.method == "POST" and sent.reader is None]
    allowed = [body.get("allowed_mentions") or {} for body in posted if isinstance(body, dict)]
    return [each for each in allowed if each.get("users") or each.get("roles")]


async def opened(world: World, person: Person) -> ResponseMessage:
    """Return the page behind **Invite** of the lobby."""
    lobby, _ = world.newest_with(Verb.INVITE)
    return page(await person.press(Verb.INVITE, on=lobby))


async def invite(world: World, person: Person, *members: Person) -> ResponseMessage:
    """Choose these members on the page behind **Invite**; return the next page."""
    return page(await pick(person, await opened(world, person), *members))


async def pick(person: Person, asked: ResponseMessage, *members: Person) -> InteractionResult:
    """Choose these members on this page behind **Invite**."""
    (select,) = with_verb(asked, Verb.INVITE)
    chosen = [member.member for member in members]
    return await person.member.select(asked, chosen, custom_id=select.custom_id)


async def choose(world: World, person: Person, **chosen: Any) -> None:
    """Choose values on the page of personal settings."""
    await world.bot.store.personal_settings.choose(UserId(person.id), PersonalSettings(**chosen))


async def choose_role(world: World, role: RoleHandle | None, cooldown_s: int = 3600) -> None:
    """Choose a role for invitations in the guild settings, as a manager does."""
    chosen = ServerSettings(
        invitation_role_id=RoleId(role.id) if role else None, invitation_cooldown_s=cooldown_s
    )
    await world.bot.store.server_settings.choose(GuildId(world.guild.id), chosen)


def invitations(world: World) -> list[ResponseMessage]:
    """Return the invitations in the channel."""
    return [each for each in messages(world.env, world.channel) if has(each, Verb.COME)]


async def test_members_are_invited_once_and_join_by_the_invitation(world: World) -> None:
    ada, ben, cai, dan, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    await choose(world, dan, invitations=False)
    await choose(world, eve, quiet=(0, 1439))
    await ada.slash("tichu new")
    wire = Wire(world.env)
    shown = await invite(world, ada, ben, cai, dan, eve, ada)
    assert [each["users"] for each in pings(wire)] == [[ben.id, cai.id]]
    for name in ("Dan", "Eve"):
        assert refusal("not-to-be-invited", name=name) in text(shown)
    assert refusal("member-seated", name="Ada") in text(shown)
    (invitation,) = invitations(world)
    assert f"{mention(ben.id)} and {mention(cai.id)}" in text(invitation)
    shown = await invite(world, ada, ben)
    assert refusal("invited-already", name="Ben") in text(shown)
    assert len(pings(wire)) == len(invitations(world)) == 1
    came = await ben.press(Verb.COME, on=invitation)
    assert came.response is not None
    assert came.response.ephemeral
    assert world.table().seat_of(UserId(ben.id)) == 1
    assert "Ben" in text(world.newest_with(Verb.LEAVE)[0]), "the lobby shows it at once"
    assert has(invitation, Verb.COME), "others may still follow it"
    await world.restart()
    shown = await invite(world, ben, cai)
    assert refusal("invited-already", name="Cai") in text(shown), "it outlives a restart"


async def test_only_players_invite_and_only_to_free_seats(world: World) -> None:
    ada, ben, cai, dan, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    await ada.slash("tichu new", computers=3)
    assert refusal("not-seated") in text(await opened(world, ben))
    await invite(world, ada, ben, cai, dan)
    (invitation,) = invitations(world)
    for person in (ben, cai, dan):
        await person.press(Verb.COME, on=invitation)
    assert [chair.name for chair in world.table().chairs] == ["Ada", "Ben", "Cai", "Dan"]
    assert invitations(world) == [], "nobody can follow it any more"
    lobby, _ = world.newest_with(Verb.LEAVE)
    assert not has(lobby, Verb.INVITE)
    await dan.press(Verb.LEAVE)
    await invite(world, ada, eve)
    assert len(invitations(world)) == 1
    await world.join(eve)
    await ada.press(Verb.START)
    assert invitations(world) == []
    assert world.table().running


async def test_role_is_invited_with_a_cooldown(world: World) -> None:
    role = world.guild.create_role("tichu players", mentionable=False)
    (ada,) = world.people("Ada")
    world.let_people_hurry()
    await ada.slash("tichu new")
    assert not has(await opened(world, ada), Verb.CALL_ROLE)
    await choose_role(world, role)
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "mention_everyone")
    asked = await opened(world, ada)
    assert refusal("role-not-mentionable", role=role_mention(role.id)) in text(asked)
    deny(world.env, world.channel, world.bot.user.id)
    asked, (lobby, _) = await opened(world, ada), world.newest_with(Verb.LEAVE)
    wire = Wire(world.env)
    both = (ada.press(Verb.CALL_ROLE, on=asked), ada.press(Verb.LEAVE, on=lobby))
    await fire_all(world.env, both)
    assert pings(wire) == [], "the table is closed"
    await ada.slash("tichu new")
    asked = await opened(world, ada)
    asked = page(await ada.press(Verb.CALL_ROLE, on=asked))
    assert [each["roles"] for each in pings(wire)] == [[role.id]]
    assert not has(asked, Verb.CALL_ROLE), "once for a table"
    await ada.slash("tichu stop")
    assert invitations(world) == []
    await ada.slash("tichu new")
    await world.restart()
    assert not has(await opened(world, ada), Verb.CALL_ROLE), "the cooldown goes on"
    await choose_role(world, role, cooldown_s=1800)
    await world.env.advance_time(1801)
    await ada.slash("tichu new")
    assert has(await opened(world, ada), Verb.CALL_ROLE)
    await choose_role(world, None)
    assert not has(await opened(world, ada), Verb.CALL_ROLE)


async def test_role_is_not_invited_to_a_full_lobby(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page was opened while a seat was free. The guild's cooldown does not start."""
    await choose_role(world, world.guild.create_role("tichu players", mentionable=True))
    ada, *others = world.people("Ada", "Ben", "Cai", "Dan")
    await ada.slash("tichu new")
    asked, wire = await opened(world, ada), Wire(world.env)
    for person in others:
        await world.join(person)
    monkeypatch.delattr(ServerSettingsStore, "note_role_invited")
    assert refusal("table-full") in text(page(await ada.press(Verb.CALL_ROLE, on=asked)))
    assert pings(wire) == []
    assert world.bot.store.server_settings.role_invited_at(GuildId(world.guild.id)) is None


async def test_one_of_two_concurrent_lobbies_invites_the_role(world: World) -> None:
    role = world.guild.create_role("tichu players", mentionable=True)
    await choose_role(world, role)
    shown, wire = [], Wire(world.env)
    for person in world.people("Ada", "Ben"):
        await person.slash("tichu new", thread=True)
        own = Person(world.env, person.member, world.channel.threads[-1])
        (lobby,) = (m for m in messages(world.env, own.channel) if has(m, Verb.INVITE))
        shown.append((own, page(await own.press(Verb.INVITE, on=lobby))))
    await fire_all(world.env, [own.press(Verb.CALL_ROLE, on=asked) for own, asked in shown])
    assert [each["roles"] for each in pings(wire)] == [[role.id]]


async def test_limits_invitations_for_sender_and_recipient(world: World) -> None:
    ada, ben, *others = world.people("Ada", "Ben", *(f"Person {n}" for n in range(18)))
    eve, finn = world.people("Eve", "Finn")
    wire = Wire(world.env)
    await ada.slash("tichu new")
    await world.join(eve)
    pages = [await opened(world, person) for person in (eve, ada)]
    both = (pick(eve, pages[0], ben), pick(ada, pages[1], ben, finn))
    _, told = await fire_all(world.env, both)
    assert [each["users"] for each in pings(wire)] == [[ben.id], [finn.id]], "nobody is left out"
    assert refusal("invited-already", name="Ben") in text(page(told))
    for person in (eve, ada):
        await person.slash("tichu stop")
    for _ in range(3):
        await ada.slash("tichu new")
        shown = await invite(world, ada, ben)
        await ada.slash("tichu stop")
        await world.env.advance_time(30)
    assert refusal("not-to-be-invited", name="Ben") in text(shown)
    assert len([each for each in pings(wire) if ben.id in each["users"]]) == 3
    await ada.slash("tichu new")
    for unwilling in others[:9]:
        await choose(world, unwilling, quiet=(0, 1439))
    await invite(world, ada, *others[:9])
    shown = await invite(world, ada, *others[9:])
    assert text(shown).count(refusal("invited-many")) == 1
    assert len(world.lobby().invitations.members) < 9, "those who could not be invited count, too"
