"""Page components and clicks, compared with those of discord.py."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
from discord import ui

from bot.ids import ChannelId, Revision, RoleId, TableId, UserId
from cogs.clicks.click import ChosenUser, Click, read_click
from cogs.pages.controls import Controls, Page, Part, gallery, length, line, option, row, text
from cogs.pages.verbs import Verb

CARD = discord.PartialEmoji(name="S8", id=123)
_ONLY_IN_MODALS = "required"


def discords(*items: ui.Item[Any], accent: discord.Colour | None = None) -> list[Part]:
    """Return the components that discord.py writes for a frame with these parts."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=accent))
    written: list[Part] = view.to_components()  # type: ignore[no-untyped-call]
    return [_without(part) for part in written]


def _without(part: Part) -> Part:
    """Return the part without fields for modals."""
    inner = {"components": [_without(child) for child in part.get("components", [])]}
    kept = {name: value for name, value in part.items() if name != _ONLY_IN_MODALS}
    return kept | (inner if inner["components"] else {})


async def test_writes_texts_lines_and_galleries_like_discord_py() -> None:
    accent = discord.Colour(0xC8963E)
    ours = Page(text("A"), line(), gallery("a.png", "alt"), gallery("b.png"), accent=accent)
    media = discord.MediaGalleryItem
    assert ours.to_components() == discords(
        ui.TextDisplay("A"),
        ui.Separator(),
        ui.MediaGallery(media("attachment://a.png", description="alt")),
        ui.MediaGallery(media("attachment://b.png")),
        accent=accent,
    )
    assert Page(text("A")).to_components() == discords(ui.TextDisplay("A"))


async def test_writes_buttons_like_discord_py() -> None:
    controls = Controls(TableId(7), Revision(3))
    ours = row(
        controls.button(Verb.PASS, "Pass"),
        controls.button(
            Verb.PLAY, "8", "1f", style=discord.ButtonStyle.danger, emoji=CARD, disabled=True
        ),
        Controls(TableId(7), Revision(3), seat=2).button(Verb.HINT, "Hint", emoji="💡"),
    )
    buttons: list[ui.Button[Any]] = [
        ui.Button(label="Pass", custom_id="b:7:3:pass:"),
        ui.Button(
            label="8",
            custom_id="b:7:3:play:1f",
            style=discord.ButtonStyle.danger,
            emoji=CARD,
            disabled=True,
        ),
        ui.Button(label="Hint", custom_id="b:7:3@2:hint:", emoji="💡"),
    ]
    assert Page(ours).to_components() == discords(ui.ActionRow(*buttons))


async def test_writes_selects_like_discord_py() -> None:
    controls = Controls()
    ours = (
        controls.select(
            Verb.EXPLAIN,
            "Topic",
            [option("A", "a", description="first", emoji="💡", default=True), option("B", "b")],
            least=0,
            most=2,
        ),
        controls.channels(Verb.RANKING_CHANNEL, "Channel", [ChannelId(55)]),
        controls.channels(Verb.SERVER_CHANNELS, "Channel", [], "2", least=0, most=25),
        controls.role(Verb.SERVER_ROLE, "Role", RoleId(56), "opener"),
        controls.role(Verb.SERVER_ROLE, "Role", None, "opener"),
        controls.people(Verb.TO_MEMBER, "Who"),
    )
    kinds = [discord.ChannelType.text, discord.ChannelType.news]
    chosen = discord.SelectDefaultValue(id=55, type=discord.SelectDefaultValueType.channel)
    role = discord.SelectDefaultValue(id=56, type=discord.SelectDefaultValueType.role)
    choice = discord.SelectOption
    options = [
        choice(label="A", value="a", description="first", emoji="💡", default=True),
        choice(label="B", value="b"),
    ]
    channel: dict[str, Any] = {"placeholder": "Channel", "channel_types": kinds}
    theirs: list[ui.Item[Any]] = [
        ui.Select(
            custom_id="s:explain:", placeholder="Topic", options=options, min_values=0, max_values=2
        ),
        ui.ChannelSelect(custom_id="c:honours:", default_values=[chosen], **channel),
        ui.ChannelSelect(custom_id="c:server-channels:2", min_values=0, max_values=25, **channel),
        ui.RoleSelect(
            custom_id="r:server-role:opener",
            placeholder="Role",
            min_values=0,
            default_values=[role],
        ),
        ui.RoleSelect(custom_id="r:server-role:opener", placeholder="Role", min_values=0),
        ui.UserSelect(custom_id="u:to-member:", placeholder="Who"),
    ]
    assert Page(*ours).to_components() == discords(*map(ui.ActionRow, theirs))


# --- clicks --------------------------------------------------------------------------------------


def clicked(custom_id: str, **data: object) -> Click | None:
    """Return the parsed click with this id and interaction data."""
    kinds = {"b": 2, "s": 3, "u": 5, "c": 8, "r": 6}
    told = {"custom_id": custom_id, "component_type": kinds.get(custom_id[:1], 2), **data}
    interaction: Any = SimpleNamespace(type=discord.InteractionType.component, data=told)
    return read_click(interaction)


def test_reads_table_revision_seat_verb_and_arguments_of_a_button() -> None:
    click = clicked("b:7:3@2:play:1f", values=["forged"])
    assert click is not None
    assert (click.table_id, click.revision, click.seat) == (7, 3, 2)
    assert (click.verb, click.args, click.values) == ("play", "1f", ())


def test_reads_the_values_of_a_select() -> None:
    click = clicked("s:explain:game", values=["a", "b"])
    assert click is not None
    assert (click.values, click.chosen) == (("a", "b"), "a")


def test_chosen_member_has_their_guild_name() -> None:
    users = {
        "1": {"id": "1", "username": "ada", "global_name": "Ada", "bot": False},
        "2": {"id": "2", "username": "ben", "global_name": "Ben"},
        "3": {"id": "3", "username": "robot", "global_name": None, "bot": True},
    }
    resolved = {"users": users, "members": {"1": {"nick": "The Queen"}, "2": {"nick": None}}}
    click = clicked("u:7:3:to-member:", values=["3", "1", "2", "4"], resolved=resolved)
    assert click is not None
    robot, ada, ben = (
        ChosenUser(UserId(3), "robot", bot=True, sees_channel=False),
        ChosenUser(UserId(1), "The Queen", bot=False),
        ChosenUser(UserId(2), "Ben", bot=False),
    )
    assert click.users == (robot, ada, ben), "one is not on the server"
    for told, sees in (("1024", True), ("0", False), ("much", True)):
        resolved["members"] = {"1": {"nick": None, "permissions": told}}
        click = clicked("u:7:3:invite:", values=["1"], resolved=resolved)
        assert click is not None
        assert click.users[0].sees_channel == sees


def test_chosen_channels_and_roles_are_resolved() -> None:
    resolved = {"channels": {"5": {"id": "5"}}, "roles": {"6": {"id": "6"}}}
    for custom_id, chosen in (("c:honours:", ("5",)), ("r:server-role:opener", ("6",))):
        click = clicked(custom_id, values=["5", "6"], resolved=resolved)
        assert click is not None
        assert click.values == chosen


def test_forged_form_is_ignored() -> None:
    forms: tuple[Any, ...] = (7, "a", [7, {"component": 7}], {"component": {}})
    for forged in forms:
        data = {"custom_id": "m:explain:game", "components": forged}
        interaction: Any = SimpleNamespace(type=discord.InteractionType.modal_submit, data=data)
        click = read_click(interaction)
        assert click is not None
        assert click.values == ()


def test_forged_choice_is_ignored() -> None:
    for forged in ({"values": [None, 3, ["a"]]}, {"values": ["a"], "component_type": 2}, {}):
        click = clicked("s:explain:game", **forged)
        assert click is not None
        assert click.values == ()
    click = clicked("u:7:3:to-member:", values=[{}, "1"])
    assert click is not None
    assert click.users == ()


def test_ignores_foreign_custom_ids() -> None:
    for custom_id in ("", "x:7:3:play:", "b:7:3:play", "b:7:3:play:" + "a" * 61):
        assert clicked(custom_id) is None


def test_text_length_is_an_upper_bound_of_discords() -> None:
    assert [length(words) for words in ("", "ä", "★", "👍", "👍a👍")] == [0, 1, 1, 2, 5]
