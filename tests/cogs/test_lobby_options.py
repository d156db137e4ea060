"""The options of a lobby: the form of the usual ones, the page of the others, refusals."""

from __future__ import annotations

from typing import Any

from simcord import InteractionResult, ResponseMessage

from bot.art.emojis import Emojis
from bot.table.options import CHANGEABLE, TableOptions
from bot.text.cards import Speaker
from bot.text.options import all_options
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from engine import VARIANTS
from tests.campaign import sample
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    has,
    private,
    text,
    with_verb,
)

NAMES = permission_names(SAY)
SELECT = 3


def public(world: World) -> ResponseMessage:
    """Return the newest lobby message."""
    return world.newest_with(Verb.LEAVE)[0]


async def test_the_host_changes_every_option(world: World) -> None:
    """Every control of the page and every input of the form; the lobby and the store follow."""
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    await world.join(ben)
    own = page(await ada.press(Verb.MORE))
    changed = set()
    for game in VARIANTS:
        own = page(await ada.choose(Verb.OPTION, f"variant.{game}", args="variant", on=own))
        for control in with_verb(own, Verb.OPTION):
            if not control.is_select:
                before = world.table().options
                own = page(await ada.press(Verb.OPTION, control.args, on=own))
                assert await stored_options(world) != before
                changed.add(control.args.partition(".")[0])
        for each in form_inputs(await ada.press(Verb.OPTIONS, on=public(world))):
            before, values = world.table().options, [o["value"] for o in each["options"]]
            chosen = sample(values, 1, seed=2) if each["type"] == SELECT else values
            opened = await ada.press(Verb.OPTIONS, on=public(world))
            await ada.submit(opened, **{each["custom_id"]: chosen})
            if await stored_options(world) != before:
                changed |= {value.partition(".")[0] for value in chosen}
    assert changed | {"variant"} == CHANGEABLE
    final = world.table()
    assert [chair.name for chair in world.table().chairs][:2] == ["Ada", "Ben"]
    assert "Grand Seigneur" in text(public(world))
    await world.restart()
    assert world.table() == final


async def stored_options(world: World) -> TableOptions:
    """Return the options of the table, after a check that they are stored."""
    record = await world.bot.store.tables.get(world.table().id)
    assert record is not None
    assert TableOptions.model_validate_json(record.options) == world.table().options
    return world.table().options


def form_inputs(opened: InteractionResult) -> list[dict[str, Any]]:
    """Return the inputs of the form that a click has opened."""
    assert opened.modal is not None
    return [label["component"] for label in opened.modal["components"]]


async def test_form_has_the_five_usual_options(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    own = page(await ada.press(Verb.MORE))
    for game in VARIANTS:
        own = page(await ada.choose(Verb.OPTION, f"variant.{game}", args="variant", on=own))
        opened = await ada.press(Verb.OPTIONS, on=own)
        length = "target" if "target" in VARIANTS[game].choices else "rounds"
        names = [each["custom_id"] for each in form_inputs(opened)]
        assert names == [length, "turn_limit_s", "bomb_window_ms", "computers", "switches"]
        before = world.table()
        own = page(await ada.submit(opened))
        assert world.table() == before, "the present values are preselected"


async def test_unchecked_boxes_turn_options_off(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", hints=True, **{"fast-computers": True})
    opened = await ada.press(Verb.OPTIONS)
    answer = await ada.submit(opened, switches=["auto_start.on"], turn_limit_s="turn_limit_s.60")
    options = world.table().options
    assert (options.hints, options.pace, options.auto_start) == (False, "human", True)
    assert options.turn_limit_s == 60
    assert answer.response is None or not answer.response.ephemeral, "only the lobby changes"


async def test_refuses_stale_and_forged_forms(world: World) -> None:
    """Options that have changed since, another person, after the start, and a mere button."""
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=2)
    late, stale, right = [await ada.press(Verb.OPTIONS, on=public(world)) for _ in range(3)]
    await world.join(ben)
    await ada.submit(right, target="target.500")
    changed = world.table().options
    assert changed.rules.target == 500, "who joins does not make it stale"
    answer = await ada.submit(stale, target="target.300")
    assert refusal("chosen-meanwhile") in private(answer)
    assert has(page(answer), Verb.OPTION), "the options as they are now"

    table_id, digest = world.table().id, changed.digest
    forged = await forge(ada, public(world), f"b:{table_id}:1:set-options:{digest}")
    assert refusal("unknown-button") in private(forged)
    values = ["hints.on"]
    forged = await forge(ben, public(world), f"s:{table_id}:1:set-options:{digest}", values)
    assert refusal("host-only", host=ada.id) in private(forged)
    for value in ("target.7", "players.5", "nothing", "turn_limit_s.86400"):
        await forge(ada, public(world), f"s:{table_id}:1:set-options:{digest}", [value])
    assert world.table().options == changed
    await ada.press(Verb.START)
    answer = await ada.submit(late, target="target.300")
    assert refusal("already-started") in private(answer)
    assert world.game().options.rules.target == 500


async def test_others_can_read_the_options(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    read = page(await ben.press(Verb.OPTIONS))
    assert not has(read, Verb.OPTION)
    for each in all_options(TableOptions(), Speaker(SAY, Emojis.plain())):
        assert each.casefold() in text(read).casefold()
    state = world.table()
    forged = await forge(ben, public(world), f"b:{state.id}:0:option:hints.on")
    assert refusal("host-only", host=ada.id) in private(forged)
    for nonsense in ("", "hints", "hints.", "nothing.1", "players.5", "target.x", "target.-1"):
        await forge(ada, public(world), f"b:{state.id}:0:option:{nonsense}")
    assert world.table() == state


async def test_refuses_a_game_with_too_few_chairs(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    ada = people[0]
    await ada.slash("tichu new")
    for person in people[1:]:
        await world.join(person)
    own = page(await ada.press(Verb.MORE))
    answer = await ada.choose(Verb.OPTION, "variant.trichu", args="variant", on=own)
    assert refusal("too-many-people", people=4, most=3) in private(answer)
    assert world.table().options == TableOptions()
    await ada.choose(Verb.OPTION, "variant.tientsin", args="variant", on=own)
    assert [chair.name for chair in world.table().chairs] == ["Ada", "Ben", "Cai", "Dan", "", ""]
    assert len(with_verb(public(world), Verb.JOIN)) == 2


async def test_options_are_fixed_after_the_start(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    own = page(await ada.press(Verb.MORE))
    (control, *_) = [c for c in with_verb(own, Verb.OPTION) if not c.is_select]
    await ada.press(Verb.START)
    before = world.game()
    answer = await ada.member.click(own, custom_id=control.custom_id)
    assert text(page(answer)) == refusal("already-started"), "without a second hand"
    assert world.game().options == before.options
