"""Rules of `tests.strict_discord`: they refuse exactly what Discord refuses."""

from __future__ import annotations

import io
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import InteractionResponseType
from simcord.backend.errors import BackendError, SetupError
from simcord.http import router

from cogs.pages.controls import Page, gallery, text
from cogs.pages.verbs import Verb
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, deny
from tests.strict_discord import (
    LONGEST_NONCE,
    OLD,
    OLD_EDITS,
    OLD_EDITS_IN,
    _answering,
    strictness,
)

THREAD = {"name": "thread", "type": discord.ChannelType.public_thread.value}
V2 = discord.MessageFlags(components_v2=True).value


def a_file(name: str = "a.png") -> discord.File:
    return discord.File(io.BytesIO(b"picture"), name)


def page(name: str | None = None) -> dict[str, Any]:
    """Return the body of a message with a picture of this name, if any."""
    shown = Page(text("words"), *([gallery(name, "seen")] if name else []))
    return {"flags": V2, "components": shown.to_components()}


class Requests:
    """Requests of the bot in the channel of a world."""

    def __init__(self, world: World, channel_id: int | None = None) -> None:
        self.world = world
        self.channel_id = channel_id or world.channel.id

    def __call__(self, method: str, path: str, body: Any, *files: discord.File) -> Any:
        backend = self.world.env.backend
        return router.dispatch(backend, method, path, json=body, files=list(files))

    def create(self, body: Any, *files: discord.File) -> Any:
        return self("POST", f"/channels/{self.channel_id}/messages", body, *files)

    def edit(self, message: Any, body: Any, *files: discord.File) -> Any:
        path = f"/channels/{self.channel_id}/messages/{message['id']}"
        return self("PATCH", path, body, *files)

    def delete(self, message: Any) -> None:
        self("DELETE", f"/channels/{self.channel_id}/messages/{message['id']}", None)


@pytest.fixture
def requests(world: World) -> Requests:
    return Requests(world)


def refused(found: pytest.ExceptionInfo[BackendError]) -> tuple[int, int]:
    """Return the status and the code of a refusal."""
    return found.value.status, found.value.code


def picture_id(message: Any) -> str:
    """Return the id of the only picture of a message."""
    (frame,) = message["components"]
    (item,) = (i for part in frame["components"] for i in part.get("items", ()))
    return str(item["media"]["attachment_id"])


def test_shown_files_are_not_listed(requests: Requests) -> None:
    message = requests.create(page("a.png"), a_file())
    assert message["attachments"] == []
    assert picture_id(message)
    listed = requests.create({"content": "file"}, a_file())
    assert [file["filename"] for file in listed["attachments"]] == ["a.png"]


def test_edit_keeps_a_picture_by_its_id_alone(requests: Requests) -> None:
    message = requests.create(page("a.png"), a_file())
    kept = [{"id": picture_id(message)}]
    assert picture_id(requests.edit(message, {**page("a.png"), "attachments": kept})) in str(kept)
    for attachments in ([], [{"id": "1"}]):
        with pytest.raises(BackendError) as found:
            requests.edit(message, {**page("a.png"), "attachments": attachments})
        assert refused(found) == (400, 50035)


def test_edit_lists_its_new_files(requests: Requests) -> None:
    message = requests.create(page())
    with pytest.raises(BackendError) as found:
        requests.edit(message, page("a.png"), a_file())
    assert refused(found) == (400, 50035)
    edited = requests.edit(
        message, {**page("a.png"), "attachments": [{"id": "0", "filename": "a.png"}]}, a_file()
    )
    assert picture_id(edited)


def test_files_need_their_permission(world: World, requests: Requests) -> None:
    deny(world.env, world.channel, world.env.backend.bot_user.id, "attach_files")
    requests.create(page())
    with pytest.raises(BackendError) as found:
        requests.create(page("a.png"), a_file())
    assert refused(found) == (403, 50013)


def test_nonce_returns_the_first_message_unless_it_is_deleted(
    world: World, requests: Requests
) -> None:
    body = {**page(), "nonce": "n", "enforce_nonce": True}
    first = requests.create(body)
    assert requests.create(body)["id"] == first["id"]
    assert requests.create({**body, "enforce_nonce": False})["id"] != first["id"]
    requests.delete(first)
    with pytest.raises(BackendError) as found:
        requests.create(body)
    assert refused(found) == (404, 10008)
    with pytest.raises(BackendError) as found:
        requests.create({**body, "nonce": "n" * (LONGEST_NONCE + 1)})
    assert refused(found) == (400, 50035)
    requests.world.env.http_requests.pop()  # not a request of the bot


async def test_nonce_expires_after_some_minutes(world: World, requests: Requests) -> None:
    body = {**page(), "nonce": "n", "enforce_nonce": True}
    first = requests.create(body)
    await world.env.advance_time(181)
    assert requests.create(body)["id"] != first["id"]


@pytest.mark.parametrize("locked", [False, True])
def test_archived_threads_refuse_edits_and_locked_ones_posts(world: World, locked: bool) -> None:
    deny(world.env, world.channel, world.env.backend.bot_user.id, "manage_threads")
    made = Requests(world)("POST", f"/channels/{world.channel.id}/threads", THREAD)
    requests = Requests(world, int(made["id"]))
    message = requests.create(page())
    metadata = {"archived": True, "locked": locked}
    world.env.backend.edit_channel(requests.channel_id, {}, thread_metadata=metadata)
    with pytest.raises(BackendError) as found:
        requests.edit(message, page())
    assert refused(found) == (400, 50083)
    with pytest.raises(BackendError) as found:
        requests("PUT", f"/channels/{requests.channel_id}/thread-members/1", None)
    assert refused(found) == (400, 50083)
    if locked:
        with pytest.raises(BackendError) as found:
            requests.create(page())
        assert refused(found) == (403, 160005)
    else:
        requests.create(page())
        requests.edit(message, page())


async def test_archived_threads_are_not_listed_at_login(world: World) -> None:
    made = [Requests(world)("POST", f"/channels/{world.channel.id}/threads", THREAD) for _ in "ab"]
    ids = [int(thread["id"]) for thread in made]
    world.env.backend.edit_channel(ids[0], {}, thread_metadata={"archived": True})
    await world.restart()
    guild = world.bot.get_guild(world.guild.id)
    assert guild is not None
    assert [thread.id for thread in guild.threads] == ids[1:]


async def test_clients_send_no_click_in_an_archived_thread_of_others(
    world: World,
) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    with pytest.raises(SetupError, match="no member"):
        await Person(world.env, ben.member, thread).press(Verb.LEAVE)
    await Person(world.env, ada.member, thread).press(Verb.LEAVE)


async def test_old_messages_accept_few_edits(world: World, requests: Requests) -> None:
    message = requests.create(page())
    for _ in range(2 * OLD_EDITS):
        requests.edit(message, page())
    await world.env.advance_time(OLD.total_seconds() + 1)
    for _ in range(OLD_EDITS):
        requests.edit(message, page())
    with pytest.raises(BackendError) as found:
        requests.edit(message, page())
    assert refused(found) == (429, 30046)
    await world.env.advance_time(OLD_EDITS_IN.total_seconds() + 1)
    requests.edit(message, page())


@pytest.mark.parametrize(
    "kind, listed",
    [(InteractionResponseType.message_update, []), (InteractionResponseType.channel_message, None)],
)
def test_update_without_a_list_removes_files(
    kind: InteractionResponseType, listed: list[Any] | None
) -> None:
    data = {"type": kind.value, "data": {"content": "words"}}
    request: Any = SimpleNamespace(json=data, files=[])
    _answering(lambda ctx: None)(request)
    assert request.json["data"].get("attachments") == listed
    assert request.json["data"]["content"] == "words"


async def test_followup_does_not_complete_a_deferred_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")

    async def deferred(interaction: discord.Interaction[Any], *_: Any, **__: Any) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send("done", ephemeral=True)

    command = world.bot.tree.get_command("tichu")
    assert isinstance(command, discord.app_commands.Group)
    hand = command.get_command("hand")
    monkeypatch.setattr(hand, "_callback", deferred)
    monkeypatch.setattr(hand, "binding", None)
    await ada.slash("tichu hand")
    breaches = strictness(world.env.backend).breaches
    assert len(breaches) == 1
    breaches.clear()
    assert not ada.sees(Verb.HAND)


async def test_refuses_edits_with_an_expired_token(world: World) -> None:
    """A token is valid for 15 minutes (receiving-and-responding.mdx); SimCord implements it."""
    (ada,) = world.people("Ada")
    shown = await ada.slash("tichu rules")
    assert shown.response is not None
    backend = world.env.backend
    token = next(reversed(backend.interaction_tokens))
    path = f"/webhooks/{world.bot.application_id}/{token}/messages/@original"
    edit = partial(router.dispatch, backend, "PATCH", path, json=page(), files=[])
    edit()
    await world.env.advance_time(15 * 60 + 1)
    with pytest.raises(BackendError) as found:
        edit()
    assert refused(found) in [(401, 50027), (404, 10015)]


async def test_refuses_a_first_answer_after_three_seconds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord waits for 3 s (receiving-and-responding.mdx); SimCord implements it."""
    (ada,) = world.people("Ada")
    errors: list[discord.HTTPException] = []

    async def late(interaction: discord.Interaction[Any], *_: Any, **__: Any) -> None:
        world.env.backend.clock.advance(3.5)
        try:
            await interaction.response.send_message("late", ephemeral=True)
        except discord.HTTPException as error:
            errors.append(error)

    command = world.bot.tree.get_command("tichu")
    assert isinstance(command, discord.app_commands.Group)
    rules = command.get_command("rules")
    assert rules is not None
    monkeypatch.setattr(rules, "_do_call", late)
    await ada.slash("tichu rules")
    assert [(error.status, error.code) for error in errors] == [(404, 10062)]
