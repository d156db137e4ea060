"""Simulated Discord for the doctor, in which tests plant other answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final, NamedTuple

import pytest
from simcord import ChannelHandle, Env, MemberActor
from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.doctor.api import Api
from bot.doctor.behaviour import Findings, FindingsStore
from bot.doctor.client import DoctorClient, registered_command, visit_of
from bot.doctor.examination import Examination, Outcome
from bot.doctor.operator import COMMAND, Operator
from bot.doctor.steps import STEPS
from bot.doctor.terminal import Terminal
from bot.doctor.visit import Visit
from bot.ids import ChannelId
from bot.runtime.clock import Clock
from tests.simcord_clicks import messages, quicken
from tests.strict_discord import be_strict

COMMANDS: Final = r"/applications/\d+/guilds/(\d+)/commands"
YES, NO, ENTER = "y", "n", ""


class Request(NamedTuple):
    """A request of the doctor and the usual answer of the simulated Discord."""

    method: str
    path: str
    body: Any
    usual: Callable[[], Any]


Planted = Callable[[Request], Any]


class Keys(Terminal):
    """Terminal with scripted input."""

    def __init__(self, show: Callable[[str], object]) -> None:
        super().__init__(show)
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def line(self) -> str | None:
        """Return the next scripted line."""
        return await self.typed.get()


class MemoryStore(FindingsStore):
    """Findings stored as text, as in the database."""

    def __init__(self) -> None:
        self.stored: str | None = None

    async def save(self, findings: Findings) -> None:
        """Store the findings."""
        self.stored = findings.model_dump_json()


class Clinic:
    """A channel with the doctor and two people who follow its instructions."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        be_strict(patch)
        self._planted: list[tuple[str, re.Pattern[str], Planted]] = []
        self._dispatch = router.dispatch
        patch.setattr(router, "dispatch", self._answer)
        self.api = Api()
        self.shown: list[str] = []
        self.keys = Keys(self._told)
        self.hand = Operator(self.api, self.keys)
        self.client = DoctorClient(self.api, self.hand, shard_count=1)
        self.env = Env(self.client)
        self.answers: dict[str, Sequence[str]] = {}
        """Answers to questions that contain these words, in turn; otherwise yes."""
        self.cannot: Callable[[str], bool] = lambda instruction: False
        """Returns whether a person cannot carry out this instruction."""
        self.store = MemoryStore()
        self.examination = Examination(self.store, Findings())
        self._acting = asyncio.Lock()
        self._doing: set[asyncio.Task[Any]] = set()
        self.plant("POST", COMMANDS, self._register)
        self.plant("DELETE", COMMANDS + r"/\d+", self._unregister)

    async def start(self) -> None:
        """Start the client in a server with a channel and two people."""
        quicken(self.env)
        await self.env.start()
        self.guild = self.env.create_guild("Server")
        self.channel = self.guild.create_text_channel("tests")
        names = "operator", "second"
        self.people = [self.guild.add_member(self.env.create_user(name)) for name in names]
        self.plant("GET", "/oauth2/applications/@me", self._application)

    async def end(self) -> None:
        """Stop the client when nobody is pressing a button."""
        async with self._acting:
            await self.env.shutdown()

    # --- planted answers -------------------------------------------------------------------------

    def plant(self, method: str, path: str, answer: Planted) -> None:
        """Answer requests of this kind in this way; the newest rule counts."""
        self._planted.insert(0, (method, re.compile(path), answer))

    def refuse(self, method: str, path: str, status: int = 400, code: int = 50035) -> None:
        """Refuse requests of this kind."""

        def refused(request: Request) -> Any:
            raise BackendError(status, code, "planted")

        self.plant(method, path, refused)

    def _answer(self, backend: Backend, method: str, path: str, **given: Any) -> Any:
        def usual() -> Any:
            return self._dispatch(backend, method, path, **given)

        request = Request(method, path, given.get("json"), usual)
        for planted_method, pattern, answer in self._planted:
            if planted_method == method and pattern.fullmatch(path):
                return answer(request)
        return usual()

    def _register(self, request: Request) -> Any:
        """Register one command, for which SimCord has no route."""
        own = self.env.backend.commands.get(self.guild.id, {})
        return self.env.backend.register_commands(self.guild.id, [*_plain(own), request.body])[-1]

    def _unregister(self, request: Request) -> None:
        own = self.env.backend.commands[self.guild.id]
        for key, command in list(own.items()):
            if request.path.endswith(f"/{command['id']}"):
                del own[key]

    def _application(self, request: Request) -> Any:
        return {**request.usual(), "owner": {"id": str(self.people[0].id)}}

    # --- actions of people -----------------------------------------------------------------------

    def _told(self, line: str) -> None:
        """Carry out an instruction line when the doctor waits for it."""
        self.shown.append(line)
        task = asyncio.get_running_loop().create_task(self._do(line))
        self._doing.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        """Skip the step for a person who could not press; `shown` has the reason."""
        self._doing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.shown.append(repr(error))
            self.keys.typed.put_nowait(ENTER)

    async def _do(self, line: str) -> None:
        if "[y/n" in line:
            self.keys.typed.put_nowait(self._typed(line))
        elif self.cannot(line):
            self.keys.typed.put_nowait(ENTER)
        else:
            async with self._acting:
                await self._act(line)

    async def _act(self, line: str) -> None:
        """Press what the line names."""
        person = self.people[1 if "account" in line else 0]
        if f"/{COMMAND}" in line:
            await person.slash(self.channel, COMMAND)
            return
        label = re.search(r"\*\*(.+?)\*\*", line)
        link = re.search(r"channels/\d+/(\d+)", line)
        if label is not None:
            await self.press(person, label[1], self.channel)
        elif link is not None:
            thread = self.env.backend.get_channel(int(link[1]))
            assert thread.thread_metadata is not None
            thread.thread_metadata.archived = False  # as if the client had sent it anyway
            await self.press(person, "In the thread", ChannelHandle(self.env, self.guild, thread))
            thread.thread_metadata.archived = True

    async def press(self, person: MemberActor, label: str, channel: ChannelHandle) -> None:
        """Press the newest button with this label that a person sees."""
        for message in reversed(messages(self.env, channel, person.id)):
            if f"'label': '{label}'" in str(message.components):
                await person.click(message, label=label)
                return
        raise AssertionError(f"there is no button {label}")

    def _typed(self, line: str) -> str:
        for words, answers in self.answers.items():
            if words in line:
                first, *rest = answers
                self.answers[words] = rest or [first]
                return first
        return NO if "Wait up to" in line else YES

    # --- the examination -------------------------------------------------------------------------

    def visit(self, *, by_hand: bool = True) -> Visit:
        """Return a visit to the channel in fast simulated time."""
        channel = self.client.text_channel(ChannelId(self.channel.id))
        visit = visit_of(
            self.examination,
            self.api,
            self.hand if by_hand else None,
            channel,
            self.env.backend.application_id,
        )

        async def fly(seconds: float) -> None:
            self.env.backend.clock.advance(seconds)

        visit.clock = Clock(self.env.now, fly)
        return visit

    async def outcomes(self, *numbers: int, by_hand: bool = True) -> dict[int, Outcome]:
        """Carry out these steps; return their outcomes by number."""
        found: dict[int, Outcome] = {}
        steps = [step for step in STEPS if step.number in numbers]

        def ended(outcome: Outcome) -> None:
            found[outcome.step.number] = outcome

        visit = self.visit(by_hand=by_hand)
        with self.env.time_context():
            async with registered_command(visit):
                await self.examination.carry_out(visit, steps, lambda _: None, ended)
        assert visit.left_behind == []
        return found

    async def outcome(self, number: int, **how: bool) -> Outcome:
        """Carry out one step."""
        return (await self.outcomes(number, **how))[number]

    def age(self, by: timedelta) -> None:
        """Let time pass."""
        self.env.backend.clock.advance(by.total_seconds())

    def everything(self) -> Iterator[str]:
        """Yield a description of everything the doctor made that still exists."""
        backend = self.env.backend
        for channel in backend.channels.values():
            if channel.is_thread:
                yield f"thread {channel.name}"
            for message in backend.messages.get(channel.id, {}).values():
                yield f"message {message.content or message.components}"
        yield from (f"emoji {emoji.name}" for emoji in backend.application_emojis.values())
        yield from (f"command {name}" for name, _ in backend.commands.get(self.guild.id, {}))


def _plain(commands: Mapping[Any, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return registered commands without the fields SimCord adds."""
    names = "name", "type", "description"
    return [{name: command[name] for name in names} for command in commands.values()]


@asynccontextmanager
async def clinic() -> AsyncIterator[Clinic]:
    """Yield a started clinic; check that nothing of the doctor is left at its end."""
    with pytest.MonkeyPatch.context() as patch:
        there = Clinic(patch)
        await there.start()
        try:
            yield there
        finally:
            await there.end()
