"""Controls posted by earlier versions still work."""

from __future__ import annotations

import pytest

from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, stored_match
from tests.cogs.table_play import dealt, seat_without_hands
from tests.cogs.worlds import World
from tests.simcord_clicks import Control, Person, enabled, text, verbs


def posted_before(control: Control) -> str:
    """Return the id of a control without a table in versions before 0.2: that of table 0."""
    kind, _, rest = control.custom_id.partition(":")
    return f"{kind}:0:0:{rest}"


COMMANDS = {
    "tichu rules": {Verb.RULES},
    "tichu leaderboard": {Verb.LEADERS},
    "tichu settings": {Verb.LISTED, Verb.WORLDWIDE},
    "tichu history": {Verb.MATCH},
}
"""Minimum verbs on the pages of these commands."""


async def test_controls_without_a_table(world: World, subtests: pytest.Subtests) -> None:
    """An old control opens the same page as the current one."""
    world.let_people_hurry()
    await stored_match(world, 3)
    ada, ben = world.people("Ada", "Ben")
    for command, wanted in COMMANDS.items():
        with subtests.test(command=command):
            await check_controls(ada, ben, command, wanted)


async def check_controls(ada: Person, ben: Person, command: str, wanted: set[Verb]) -> None:
    """Let Ada use each current control of a page, and Ben its old form."""
    options: dict[str, str] = {"which": "channel"} if command == "tichu history" else {}
    found = enabled(page(await ada.slash(command, **options)))
    offered = [control for control in found if control.verb != Verb.SHARE_LEADERS]  # public
    assert wanted & {Verb(control.verb) for control in offered}
    for control in offered:
        values = [option.value for option in control.options][-1:] if control.is_select else None
        pages = []
        for person, custom_id in ((ada, control.custom_id), (ben, posted_before(control))):
            shown = page(await person.slash(command, **options))
            answer = page(await forge(person, shown, custom_id, values))
            pages.append((text(answer).replace(str(person.id), "me"), verbs(answer)))
        assert pages[0] == pages[1], control


async def test_wish_in_a_select(world: World) -> None:
    """Wishes have buttons now; hands of older versions have a select."""
    ada, *_ = await dealt(world, {0: "MAHJONG J2 J3 J4 J6"})
    await ada.lay("MAHJONG")
    button = ada.controls(Verb.WISH)[0].custom_id
    select = "s" + button.partition(">")[0].removeprefix("b")
    await forge(ada.person, ada.hand, select, ["8"])
    await world.env.advance_time(3)
    assert world.game().round.wish == 8


async def test_rules_button_of_a_table(world: World) -> None:
    """A table's own rules button has always named its table."""
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people)
    message, button = world.newest_with(Verb.MORE)
    assert button.custom_id.startswith(f"b:{world.table().id}:")
    on_table = button.custom_id.replace("more:", "rules:nanjing")
    shown = page(await forge(people[0], message, on_table))
    again = page(await forge(people[1], message, "b:0:0:rules:nanjing"))
    assert text(again) == text(shown)
