"""Permissions in `CONTROLS`: each verb once, and random clicks respect them.

A sample runs with all tests, and 100,000 clicks in `make soak`.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cogs.clicks.router  # noqa: F401 - registers all controls
from bot.ids import ChannelId, TableId
from bot.table.state import Game, OpenTable
from cogs.clicks.context import ClickContext
from cogs.clicks.registry import CONTROLS, Control, Where, Who, check_complete, control
from cogs.pages.hand.hints import DO_IT_VERBS
from cogs.pages.verbs import Verb
from engine import indices
from tests.cogs.arena import Arena
from tests.cogs.eyes import Secrets, cards_in
from tests.cogs.worlds import a_world
from tests.cogs.wrong_clicks import UNKNOWN, Clicker, WrongClick
from tests.simcord_clicks import Sent, Wire

_OF_TABLE = re.compile(r"'custom_id': '[bsucrm]:(\d+):\d")
"""Table number in the id of a control."""
_ENDING = {
    *(Verb.STOP_NOW, Verb.STOP_VOTE, Verb.AGREE, Verb.TO_COMPUTER, Verb.TO_MEMBER, Verb.STAY),
    *(Verb.START, Verb.LEAVE, Verb.REMATCH, Verb.NEW_PARTNERS, Verb.NEW_LOBBY, Verb.PLAY_ON),
    *(Verb.READY, Verb.NO_SEAT, Verb.TAKE_SEAT, Verb.OPTION, Verb.SET_OPTIONS),
    *(Verb.IN_THREAD, Verb.FORGET_ME_NOW),
}
"""Verbs that would end the test's state; permitted users press something else."""
_FOR_ALL = {
    *(Verb.JOIN, Verb.FILL, Verb.SHARE_LEADERS, Verb.SHARE_PROFILE, Verb.SHARE_REPLAY),
    *(Verb.SHARED_REPLAY, Verb.SHARE_MOMENT, Verb.ANIMATE),
    *(Verb.PAUSE, Verb.RESUME, Verb.BACK),
}
"""Verbs that change or post a public message besides the table itself."""
_OF_ONE_REVISION = {
    *(Verb.SWAP, Verb.ADD_COMPUTER, Verb.REMOVE, Verb.GRAND, Verb.WITHDRAW, Verb.GIVE, Verb.PLAY),
    *(Verb.WISH, Verb.DOG, Verb.PASS, Verb.GIFT, Verb.TAKE_BACK, Verb.PAUSE, Verb.RESUME),
}
"""Verbs without effect when the table has changed since the control was made."""
_PAST = {
    *(Verb.REPLAY, Verb.REPLAY_ROUND, Verb.REPLAY_VIEW, Verb.PROOF, Verb.SAVE, Verb.MATCH),
    *(Verb.SHARE_REPLAY, Verb.SHARED_REPLAY, Verb.SHARE_MOMENT, Verb.ANIMATE),
    *(Verb.REPLAY_PLAY, Verb.REPLAY_BACK),
    *(Verb.REVIEW, Verb.REVIEW_OF, Verb.REVIEW_MARK, Verb.REVIEW_BACK, Verb.TRY_AGAIN),
}
_OF_SERVER = (Where.SERVER, Where.PAST)
"""Places whose controls are not about a table that is open."""
_EXAMPLES = {
    *(Verb.RULES, Verb.EXPLAIN, Verb.CARD_STYLE, Verb.SORTING, Verb.ALWAYS_PASS),
    *(Verb.MORE_TIME, Verb.LISTED, Verb.WORLDWIDE, Verb.SETTINGS, Verb.LEARN, Verb.LESSON),
    *(Verb.LANGUAGE, Verb.LESSON_CARDS, Verb.LESSON_PLAY),
    *(Verb.SHOW_ACCURACY, Verb.COMPARE_ACCURACY),
    *(Verb.PUZZLE, Verb.PUZZLE_ANSWER),
    *(Verb.SERVER, Verb.SERVER_SET, Verb.RANKING_CHANNEL, Verb.NO_RANKING_CHANNEL),
}
"""Verbs whose pages name cards as examples."""
_OWN = {
    *(Verb.HAND, Verb.REFRESH, Verb.ALWAYS_PASS, Verb.MORE_TIME, Verb.SORTING),
    *(Verb.LANGUAGE, Verb.CARD_STYLE, Verb.QUIET, Verb.DAILY_REMINDER),
}
"""Verbs that may change the user's own table even if the click names another."""


async def nothing(ctx: ClickContext) -> None:
    """Handle no click."""


@pytest.fixture
def copied_controls(monkeypatch: pytest.MonkeyPatch) -> dict[str, Control]:
    """Copy the registry, so that a test may change it."""
    controls = dict(CONTROLS)
    monkeypatch.setattr("cogs.clicks.registry.CONTROLS", controls)
    return controls


def test_refuses_a_second_handler_of_a_verb(copied_controls: dict[str, Control]) -> None:
    first = copied_controls[Verb.PASS]
    with pytest.raises(ValueError, match=r"two handlers for .*pass"):
        control(Verb.PASS, who=Who.SEATED, where=Where.ANYWHERE)(nothing)
    assert copied_controls[Verb.PASS] is first


def test_refuses_a_verb_without_a_handler(copied_controls: dict[str, Control]) -> None:
    check_complete()
    del copied_controls[Verb.WISH]
    with pytest.raises(ValueError, match="no handler for wish"):
        check_complete()


def rights(verb: str) -> tuple[Who, Where]:
    return CONTROLS[verb].who, CONTROLS[verb].where


def test_do_it_has_the_permissions_of_the_advised_actions() -> None:
    assert {rights(verb) for verb in DO_IT_VERBS} == {rights(Verb.DO)}


def test_public_controls_are_bound_to_their_channel() -> None:
    """Only hands, rules and personal settings work anywhere."""
    anywhere = {verb for verb in CONTROLS if CONTROLS[verb].where is Where.ANYWHERE}
    assert not anywhere & {Verb.LOG, Verb.LAST_TRICK, Verb.MORE, Verb.STOP_NOW, Verb.READY}
    assert all(
        CONTROLS[verb].who is Who.SEATED for verb in (Verb.PLAY, Verb.PASS, Verb.GIVE, Verb.BACK)
    )


def texts(body: Any) -> list[str]:
    """Return all texts and controls of a body, without the ids of controls."""
    if isinstance(body, Mapping):
        own = [body[name] for name in ("content", "label") if isinstance(body.get(name), str)]
        return own + [found for value in body.values() for found in texts(value)]
    if isinstance(body, list | tuple):
        return [found for value in body for found in texts(value)]
    return []


class Judge:
    """Sends clicks one after another and checks all effects of each."""

    def __init__(self, arena: Arena, database: Path, seed: int) -> None:
        self.arena = arena
        self.clicker = Clicker(arena, seed)
        self.wire = Wire(arena.world.env)
        self.secrets = Secrets(arena.world)
        self.tally: Counter[str] = Counter()
        self._before = self._tables()
        self._database = sqlite3.connect(database)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    async def judge(self) -> None:
        """Draw a click that ends nothing, send it, and check its effects."""
        while True:
            click = self.clicker.draw()
            may = self.arena.may(click.aim)
            likely = 1.0 if self._out_of_date(click) else 0.3
            if not may or (self.clicker.rng.random() < likely and click.aim.verb not in _ENDING):
                break
        sent = await self._send(click, may=may)
        table = self.arena.world.bot.tables.find(TableId(click.aim.table_id))
        aim = click.aim
        hidden = table is not None and not self.arena.reaches(aim.person, aim.place, table)
        of_server = aim.verb in CONTROLS and CONTROLS[aim.verb].where in _OF_SERVER
        if hidden and sent is not None and not of_server:
            if aim.verb in _OWN:  # once more, because the own table may have changed now
                sent = await self._send(click, may=may)
                assert sent is not None
            same = await self._send(click.about(UNKNOWN), may=False)
            assert same is not None
            assert texts([each.body for each in sent]) == texts([each.body for each in same]), click
            self.tally["as if there were no table"] += 1

    async def _send(self, click: WrongClick, *, may: bool) -> list[Sent] | None:
        """Return the bot's requests; `None` for what is no click on a control."""
        before = self._before = self._tables()
        version, cursor = self._version(), len(self.wire.sent)
        number = await self.clicker.send(click)
        after = self._tables()
        changed = {id_ for id_ in before if before[id_] is not after.get(id_)}
        wrote = self._version() != version
        pages = any(
            "components" in ((each.body or {}).get("data") or {})
            for each in self._sent_since(cursor)
        )
        if may or pages:  # consequences such as the deletion of another hand come now
            await self.arena.world.env.settle()
        sent = self._sent_since(cursor)
        self._check_state(click, changed, wrote=wrote, may=may)
        self._check_answers(click, sent, number, may=may)
        if number is None:
            assert not sent
            self.tally["no control"] += 1
            return None
        self.tally["allowed" if may else "not allowed"] += 1
        self.tally["changed"] += bool(changed)
        return sent

    def _sent_since(self, cursor: int) -> list[Sent]:
        """Return the requests that may show something; GET only asks, as for the host."""
        return [each for each in self.wire.sent[cursor:] if each.method != "GET"]

    def _tables(self) -> dict[int, OpenTable]:
        return {table.id: table for table in self.arena.world.bot.tables.all()}

    def _version(self) -> int:
        """Return a number that changes with every write to the database."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def _check_state(self, click: WrongClick, changed: set[int], *, wrote: bool, may: bool) -> None:
        """Check that only permitted users changed something, and only their own table."""
        aim, own = click.aim, self._own_table(click)
        allowed = {aim.table_id} if may else set()
        if aim.verb in _OWN and own is not None:
            allowed.add(own.id)
        if may and self._out_of_date(click):
            allowed = set()
            self.tally["out of date"] += 1
        assert changed <= allowed, click
        assert may or not wrote, click

    def _out_of_date(self, click: WrongClick) -> bool:
        """Return whether the control was made for another revision and has no effect."""
        table = self._before.get(click.aim.table_id)
        stale = table is not None and click.revision != table.revision
        return stale and click.aim.verb in _OF_ONE_REVISION

    def _own_table(self, click: WrongClick) -> OpenTable | None:
        tables = self.arena.world.bot.tables.all()
        return next((table for table in tables if self.arena.sits(click.aim.person, table)), None)

    def _check_answers(
        self, click: WrongClick, sent: list[Sent], number: int | None, *, may: bool
    ) -> None:
        """Check one answer for one reader, without cards hidden from them."""
        reader = click.aim.person.id
        answers = [each for each in sent if each.path.endswith("/callback")]
        assert len(answers) == (number is not None), click
        if not (may and click.aim.verb in _FOR_ALL):
            assert all(each.reader == reader for each in answers), (click, sent)
        if not may:
            assert all(each.reader == reader for each in sent), (click, sent)
            assert all(each.body["type"] in (4, 7) for each in answers), (click, sent)
        for named in map(int, _OF_TABLE.findall(repr([each.body for each in answers]))):
            table = self._before.get(named)
            aim = click.aim
            assert table is None or self.arena.reaches(aim.person, aim.place, table), click
        table = self._about(click)
        if click.aim.verb in _EXAMPLES or (may and click.aim.verb in _PAST):
            sent = [each for each in sent if each not in answers]
        for each in sent:
            told = set(cards_in(each.body))
            if told:
                self.tally["pages with cards"] += 1
                named_in_page = [int(id_) for id_ in _OF_TABLE.findall(repr(each.body))]
                shown = next((id_ for id_ in named_in_page if id_ in self._before), None)
                about = shown or (table.id if table else None)
                hidden = self.secrets.hidden_from(each.reader, about)
                assert not told & set(indices(hidden)), (click.aim.verb, click, each)

    def _about(self, click: WrongClick) -> Game | None:
        """Return the table of an answer that shows a hand."""
        aim, tables = click.aim, self.arena.world.bot.tables
        named, here = (
            tables.find(TableId(aim.table_id)),
            tables.in_channel(ChannelId(aim.place.channel_id)),
        )
        own = self._own_table(click)
        for table in (own, named) if aim.verb in _EXAMPLES else (named, here, own):
            if isinstance(table, Game) and self.arena.reaches(aim.person, aim.place, table):
                return table
        return None


async def wrong_clicks(folder: Path, seed: int, number: int) -> Counter[str]:
    """Make `number` wrong clicks in a new arena; return the number of each outcome."""
    async with a_world(folder, seed) as world:
        arena = Arena(world)
        await arena.open()
        world.let_people_hurry()
        open_tables = [table.id for table in world.bot.tables.all()]
        judge = Judge(arena, folder / "tichu.db", seed)
        try:
            for _ in range(number):
                await judge.judge()
        finally:
            judge.close()
        assert [table.id for table in world.bot.tables.all()] == open_tables
        return judge.tally


@pytest.mark.slow
async def test_wrong_clicks_change_and_reveal_nothing(tmp_path: Path) -> None:
    tally = await wrong_clicks(tmp_path, 2, 200)
    assert tally["not allowed"] > 80
    assert tally["allowed"] > 8
    assert tally["as if there were no table"] > 8
    assert tally["pages with cards"] > 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 21))
async def test_hundred_thousand_wrong_clicks_change_and_reveal_nothing(
    tmp_path: Path, seed: int
) -> None:
    tally = await wrong_clicks(tmp_path, seed, 5000)
    assert tally["not allowed"] > 2500
