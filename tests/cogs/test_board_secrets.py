"""Nothing about a deal that others can still play: no secret, and no card that was not seen."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from simcord import HttpLogEntry, ResponseMessage

from bot.__main__ import main
from bot.boards.board import Board
from bot.boards.days import DRAWN_AHEAD, ends_at
from bot.computers.worker_pool import Work
from bot.ids import TableId, UserId
from bot.runtime.settings import Settings
from bot.table.solo_game import SOLO_IDS, SoloGame
from cogs.pages.verbs import Verb
from engine import DECK_SIZE, card_set, card_text, indices
from players.boards import PERSON
from tests.bot.solo_worlds import SoloPool
from tests.campaign import SOAK, sample
from tests.cogs.daily_play import DailyPlayer, board_of
from tests.cogs.eyes import cards_in, cards_in_text
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import accepted, begin, newest, play_deal, play_on
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Person, Wire, controls, has, text

_MOVES = {
    *(Verb.GRAND, Verb.GRAND_ASK, Verb.WITHDRAW, Verb.PICK, Verb.GIVE, Verb.PLAY, Verb.CARDS),
    *(Verb.WISH, Verb.PASS, Verb.TAKE_BACK, Verb.GO_ON, Verb.WAIT, Verb.BOMB, Verb.BOMBS),
    *(Verb.GIFT, Verb.DOG, Verb.DO, Verb.TICHU, Verb.TICHU_YES, Verb.AUTO_PASS),
}
"""Verbs with which a person plays; on the round of somebody else they are tried, too."""
_EFFECTS = {
    *(Verb.FORGET_ME, Verb.FORGET_ME_NOW, Verb.LANGUAGE, Verb.CARD_STYLE, Verb.NEW_LOBBY),
    *(Verb.SERVER, Verb.SERVER_SET, Verb.SERVER_DEFAULT, Verb.USUAL_DEFAULTS, Verb.SET_DEFAULTS),
    *(Verb.CHALLENGE_LEAVE, Verb.CHALLENGE_LEAVE_NOW),
}
"""Verbs that change what the test relies on."""
_OTHER_CARDS = re.compile(
    r"[bs]:(?:\d{1,12}:|(?:\d+:\d+:)?(?:rules|card-style|learn|lesson|puzzle)[a-z-]*:)"
)
"""Controls of pages with other cards: tables, whose ids are small, rules, lessons and puzzles."""
_GUESSES = ("", "1", "1.0.open.on")
"""Arguments of forged controls about past rounds, beside those that pages have."""
_PAST = ("challenge", "daily", "match", "proof", "replay", "review", "save", "share", "try")
"""Beginnings of verbs about past rounds and results."""
_MOST_CLICKS = 300 if SOAK else 30
"""Largest number of controls that a person tries on their pages at once."""
_FORGED = 50
"""Forged controls that a person tries outside of a campaign."""
_RESULT = 98_765_432
"""Points that no other number contains, in place of a stored result."""


class BoardEyes(Wire):
    """Requests and files of the bot, each checked when it is sent.

    A reader may see the cards that they have held and those that were played in their own rounds,
    but never all cards of another hand in one line, as in a replay.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.secrets: dict[str, int | None] = {}
        """Texts that nobody may see but this reader, if any."""
        self.hands: set[int] = set()
        """Hands of computers at the deal."""
        self.known: Counter[int] = Counter()
        """Cards that each reader has seen, as sets."""
        self.open_to: set[int] = set()
        """Readers who may see all cards."""
        self.leaks: list[str] = []
        self.shown: Counter[int | None] = Counter()
        """Number of cards shown to each reader."""
        self._seen = 0
        super().__init__(world.env)
        files = world.env.backend.cdn
        store = files.store_attachment

        def checked(*args: Any) -> Any:
            _, _, name, data, _ = args
            if not name.endswith(".png"):
                self.check(min(self.open_to, default=None), name, data.decode())
            return store(*args)

        files.store_attachment = checked  # type: ignore[method-assign, assignment]

    def hide(self, board: Board) -> None:
        """Look for the secret of this board, and for the seed and the hands that follow from it."""
        self.secrets |= dict.fromkeys(_texts_of(board))
        self.hands |= _hands_of(board)

    def reveal(self, board: Board) -> None:
        """Allow the secret of this board."""
        for each in _texts_of(board):
            del self.secrets[each]
        self.hands -= _hands_of(board)

    def append(self, entry: HttpLogEntry, /) -> None:
        """Check one request."""
        super().append(entry)
        sent = self.sent[-1]
        self.check(sent.reader, f"{sent.method} {sent.path}", sent.body)

    def check(self, reader: int | None, how: str, body: Any) -> None:
        """Note what a text or body reveals to its reader, `None` for everybody."""
        text = body if isinstance(body, str) else json.dumps(body, default=str, ensure_ascii=False)
        self.leaks += [
            f"secret to {reader}: {how} {text}"
            for each, owner in self.secrets.items()
            if each in text and (owner is None or owner != reader)
        ]
        if reader in self.open_to or _OTHER_CARDS.search(text):
            return
        cards = set(cards_in_text(text) if isinstance(body, str) else cards_in(body))
        self.shown[reader] += len(cards)
        known = self._known_by(reader) if reader is not None else 0
        unknown = [card_text(card) for card in sorted(cards) if not known >> card & 1]
        if unknown or any(map(self._names_a_hand, re.split(r"\n|\\n", text))):
            self.leaks.append(f"{unknown or 'a hand'} to {reader}: {how} {text}")

    def _names_a_hand(self, line: str) -> bool:
        """Return whether a line has all cards of a computer."""
        cards = card_set(cards_in_text(line))
        return any(hand & ~cards == 0 for hand in self.hands)

    def _known_by(self, reader: int) -> int:
        """Return the cards that a person has seen in their own rounds."""
        events = self.world.history[self._seen :]
        self._seen += len(events)
        registry = self.world.bot.tables._registry  # noqa: SLF001
        loaded = (each.state for each in registry.private_games())
        for state in chain((event.after for event in events), loaded):
            if isinstance(state, SoloGame):
                public = state.views.public
                steps = chain(public.trick, *(each.steps for each in public.past))
                seen = state.round.hands[PERSON].cards
                for step in steps:
                    seen |= step.combination.cards if step.combination is not None else 0
                self.known[state.host_id] |= seen
        return self.known[reader]


def _texts_of(board: Board) -> tuple[str, ...]:
    """Return the secret of a board and its seed, in all forms."""
    return board.secret, board.computer_seed.hex(), str(board.fair_deal.secret)


def _hands_of(board: Board) -> set[int]:
    """Return the cards that each computer is dealt."""
    dealt = board.dealt().round
    assert dealt is not None
    hands = zip(dealt.hands, dealt.opening.stock, strict=True)
    return {hand.cards | stock for seat, (hand, stock) in enumerate(hands) if seat != PERSON}


class SecretLog(logging.Handler):
    """Collects log records, at all levels."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))

    def check(self, eyes: BoardEyes, printed: str) -> None:
        """Check that neither the log nor what commands have printed has a secret or a card."""
        for told in (*self.texts, printed):
            assert not [secret for secret in eyes.secrets if secret in told]
            assert not list(cards_in_text(told)), told


@pytest.fixture
def log() -> Iterator[SecretLog]:
    """Yield everything that is logged."""
    records, root = SecretLog(), logging.getLogger()
    level = root.level
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    logging.getLogger("simcord").setLevel(logging.WARNING)
    yield records
    root.setLevel(level)
    root.removeHandler(records)


@pytest.fixture
async def solo_world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world whose computers answer at once."""
    async with a_world(tmp_path, pool=Pool()) as world:
        world.let_people_hurry()
        yield world


class Pool(SoloPool):
    """Workers that play boards only; elsewhere Novices do."""

    novices_sit_in = True

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Answer work on boards; let other work fail."""
        if work.function in ("solo_actions", "solo_expert_action"):
            return super().submit(work)
        failed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        failed.set_exception(ValueError("not a board"))
        return failed


class Asker(DailyPlayer):
    """A player who asks for everything."""

    async def ask_everything(self, tables: Mapping[TableId, bool]) -> None:
        """Use all commands, all controls of their pages, and forged controls of all kinds.

        `tables` are solo rounds, each with whether it is theirs.
        """
        person = self.person
        for name in sorted(person.member.available_commands(person.channel)):
            await self._command(name)
        clicked: set[str] = set()
        while len(clicked) < _MOST_CLICKS and (found := self._new_controls(clicked)):
            for message, custom_id, values in found[:20]:
                clicked.add(_key(custom_id, values))
                if message.id in self.world.env.backend.messages[person.channel.id]:
                    await forge(person, message, custom_id, values)
        page = person.private()[-1]
        forged = []
        for verb in sorted(set(Verb) - _EFFECTS):
            for args in _GUESSES if SOAK or verb.startswith(_PAST) else ("",):
                for table, own in tables.items():
                    if not own or (verb not in _MOVES and verb.startswith(_PAST)):
                        forged.append(f"b:{table}:0:{verb}:{args}")
                if verb.startswith(_PAST):
                    forged.append(f"b:{verb}:{args}")
        for custom_id in sample(forged, _FORGED, person.id):
            await forge(person, page, custom_id)
        for report in tables:
            await self._report(report)

    def _new_controls(
        self, clicked: Collection[str]
    ) -> list[tuple[ResponseMessage, str, list[str] | None]]:
        """Return the controls of their pages that they have not tried."""
        found: dict[str, tuple[ResponseMessage, str, list[str] | None]] = {}
        for message in reversed([*self.person.public(), *self.person.private()]):
            for control in controls(message):
                if not control.custom_id or control.verb in _MOVES | _EFFECTS:
                    continue
                choices: list[list[str] | None] = [[each.value] for each in control.options]
                for values in choices or [None]:
                    key = _key(control.custom_id, values)
                    if key not in clicked:
                        found.setdefault(key, (message, control.custom_id, values))
        return list(found.values())

    async def _command(self, name: str) -> None:
        """Use a command, also with the number of the deal as that of a table."""
        options: list[dict[str, Any]] = [{}]
        if name == "tichu new":
            return
        if name in ("tichu verify", "tichu replay"):
            options += [{"table": 1}, {"table": 1, "round": 1}]  # solo rounds have larger numbers
        if name == "tichu shuffle":
            options = [{"word": "lucky"}]
        for each in options:
            await self.person.slash(name, **each)

    async def _report(self, table: TableId) -> None:
        """Ask for a report of a table on the command line; there is none of a solo round."""
        assert await asyncio.to_thread(main, ["report", str(table)]) != 0


def _key(custom_id: str, values: list[str] | None) -> str:
    """Return what a control does, without the revision of its page."""
    return re.sub(r"^([a-z]:\d+):\d+", r"\1", custom_id) + str(values)


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands find the database of the world."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "MTA.Gx1.not-a-real-token")
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/tichu.db")
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)


async def test_nothing_is_told_of_a_deal_that_others_can_play(
    solo_world: World, configured: None, log: SecretLog, capsys: pytest.CaptureFixture[str]
) -> None:
    world, eyes = solo_world, BoardEyes(solo_world)
    ada, ben, eve = (
        Asker(world, person, seed) for seed, person in enumerate(world.people("Ada", "Ben", "Eve"))
    )
    board = await board_of(world)
    for days in range(DRAWN_AHEAD + 1):
        eyes.hide(await board_of(world, days))
    for player in (ada, ben):
        await player.begin()
    games = {player.person.id: player.game for player in (ada, ben)}

    async def ask(*people: Asker) -> None:
        for each in people:
            own = games.get(each.person.id)
            tables = {game.id: game is own for game in games.values() if game is not None}
            await each.ask_everything(tables)
            assert eyes.leaks == []

    await ada.finish()
    for _ in range(4):
        await ben.act()
    await ask(ada, ben, eve)
    await ben.begin()
    await ben.finish()
    assert min(eyes.shown[player.person.id] for player in (ada, ben)) > 100
    log.check(eyes, capsys.readouterr().out)

    assert board.day is not None
    eyes.reveal(board)
    eyes.open_to = {player.person.id for player in (ada, ben, eve)}
    world.env.backend.advance_clock((ends_at(board.day) - world.env.now()).total_seconds() + 60)
    await world.restart()
    world.let_people_hurry()
    before = len(eyes.sent)
    await ask(ada)  # the deals of today and of the next days are still secret
    assert any(board.secret in str(sent.body) for sent in eyes.sent[before:])


async def test_nothing_is_told_of_a_challenge_that_is_not_over(
    solo_world: World,
    configured: None,
    log: SecretLog,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    world, eyes = solo_world, BoardEyes(solo_world)
    ada, ben, _ = await accepted(world)
    people = ada, ben, *world.people("Eve")
    boards = await world.bot.boards.of_challenge((await newest(world)).id)
    for board in boards:
        eyes.hide(board)
    for _ in boards:
        await play_deal(world, ada)
    game = await play_on(world, await begin(world, ben), 4)
    with closing(sqlite3.connect(tmp_path / "tichu.db")) as connection, connection:
        connection.execute("UPDATE solo_rounds SET points = ? WHERE user_id = ?", (_RESULT, ada.id))
    results = f"{_RESULT}", f"{_RESULT:,}"
    eyes.secrets |= dict.fromkeys(results, ada.id)
    (*_, first) = await world.bot.store.boards.rounds_of(UserId(ada.id))
    owners = {TableId(SOLO_IDS + first.id): ada, game.id: ben}

    async def ask(*askers: Person) -> None:
        for each in askers:
            tables = {table: owner is each for table, owner in owners.items()}
            await Asker(world, each).ask_everything(tables)
            assert eyes.leaks == []

    await ask(*people)
    assert eyes.shown[ben.id] > 100
    log.check(eyes, capsys.readouterr().out)

    await play_on(world, game)
    for each in results:
        del eyes.secrets[each]
    for board in boards:
        eyes.reveal(board)
    eyes.open_to = {person.id for person in people}
    for _ in boards[1:]:
        await play_deal(world, ben)
    for person in people:
        deals = text(page(await person.press(Verb.CHALLENGE_DEALS)))
        assert all(board.secret in deals for board in boards)
    compared = page(await ben.press(Verb.CHALLENGE_COMPARE))
    assert any(each in text(compared) for each in results)
    assert has(compared, Verb.REPLAY)
    if SOAK:
        await ask(*people)


@pytest.mark.parametrize("leak", ["{0}", "{1}"])
async def test_notices_what_is_told(solo_world: World, log: SecretLog, leak: str) -> None:
    eyes = BoardEyes(solo_world)
    (ada,) = solo_world.people("Ada")
    player, board = DailyPlayer(solo_world, ada), await board_of(solo_world)
    eyes.hide(board)
    await player.begin()
    assert eyes.leaks == []
    round_ = board.dealt().round
    assert round_ is not None
    (card, *_) = indices(round_.hands[PERSON + 1].cards)
    log.check(eyes, "")
    leaked = leak.format(board.secret, card_text(card))
    eyes.check(ada.id, "message", {"content": leaked})
    assert len(eyes.leaks) == 1
    logging.getLogger("test").debug("leak %s", leaked)
    with pytest.raises(AssertionError):
        log.check(eyes, "")


async def test_notices_a_hand_whose_cards_are_known(solo_world: World) -> None:
    eyes, board = BoardEyes(solo_world), await board_of(solo_world)
    eyes.hide(board)
    hand, *_ = eyes.hands
    eyes.known[1] = (1 << DECK_SIZE) - 1
    names = [*map(card_text, indices(hand))]
    eyes.check(1, "tricks", {"content": "\n".join(names)})
    assert eyes.leaks == []
    eyes.check(1, "hand", {"content": " ".join(names)})
    assert len(eyes.leaks) == 1
