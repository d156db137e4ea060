"""`python -m bot doctor CHANNEL`: examine the behaviour of Discord."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from bot.cli.console import complain, settings_and_logs
from bot.cli.exclusive import only_process
from bot.cli.session import exit_status

if TYPE_CHECKING:
    from bot.doctor.examination import Outcome
    from bot.doctor.step import Step
    from bot.runtime.settings import Settings

NAME = "doctor"
HELP = "find out in a channel of yours how Discord behaves"
_STEP_COUNT: Final = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the channel, the steps, and the output format."""
    parser.add_argument(
        "channel", type=int, metavar="CHANNEL", help="the id of a text channel for tests"
    )
    parser.add_argument(
        "--steps", type=_step_numbers, metavar="1,4,9", help="only these steps (default: all)"
    )
    parser.add_argument(
        "--hand",
        action=argparse.BooleanOptionalAction,
        help="whether somebody is there who presses and answers (default: if this is a terminal)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document; instructions go to stderr"
    )


def _step_numbers(listed: str) -> tuple[int, ...]:
    """Parse the numbers of the steps in an argument."""
    try:
        numbers = tuple(int(number) for number in listed.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(1 <= number <= _STEP_COUNT for number in numbers):
        raise argparse.ArgumentTypeError(
            f"steps are numbers from 1 to {_STEP_COUNT}, such as 1,4,9"
        )
    return numbers


def carry_out(arguments: argparse.Namespace) -> int:
    """Examine Discord in a channel. Raise `SettingsError`.

    Return the exit status: 2 if the channel is unsuitable, 1 if a step failed.
    """
    from bot.doctor.client import SetupError

    settings = settings_and_logs()
    report = Report(as_json=arguments.json)
    setup_problems: list[str] = []

    async def work() -> None:
        try:
            await _examine(settings, arguments, report)
        except SetupError as problem:
            setup_problems.append(str(problem))
        finally:
            report.finish()

    status = exit_status(work())
    if setup_problems:
        return complain(setup_problems[0])
    return status or int(any(outcome.failed for outcome in report.outcomes))


async def _examine(settings: Settings, arguments: argparse.Namespace, report: Report) -> None:
    """Run the steps while holding the lock of the database."""
    from bot.doctor.behaviour import FindingsStore
    from bot.doctor.client import visiting
    from bot.doctor.examination import Examination
    from bot.doctor.steps import STEPS
    from bot.doctor.terminal import Terminal
    from bot.rating.ledger import LEDGER
    from bot.storage import Store, backends

    by_hand = sys.stdin.isatty() if arguments.hand is None else arguments.hand
    terminal = Terminal(report.show) if by_hand else None
    chosen = [step for step in STEPS if step.number in (arguments.steps or (step.number,))]
    with backends.lock(settings.database_url, NAME):
        store = await Store.open(settings.database_url, LEDGER)
        try:
            findings = FindingsStore(store.app_state)
            examination = Examination(findings, await findings.load())
            token = settings.discord_token.get_secret_value()
            async with (
                only_process(settings, store),
                visiting(examination, arguments.channel, token, terminal) as visit,
            ):
                report.left_behind = visit.left_behind
                await examination.carry_out(visit, chosen, report.begin, report.add)
                report.behaviour = examination.findings.behaviour.model_dump()
        finally:
            await store.close()


class Report:
    """Prints the result of each step as it comes, or all results as one JSON document."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self.outcomes: list[Outcome] = []
        self.left_behind: list[str] = []
        """Descriptions of objects that could not be deleted."""
        self.behaviour: dict[str, Any] | None = None
        """Stored behaviour of Discord after the run; `None` if the run was interrupted."""

    def show(self, line: str) -> None:
        """Print a line at once, to stderr if the output is JSON."""
        print(line, file=sys.stderr if self._as_json else sys.stdout, flush=True)

    def begin(self, step: Step) -> None:
        """Print the heading of a step."""
        self.show(f"\n{step.number}. {step.title}\n   Expected: {step.expected}.")

    def add(self, outcome: Outcome) -> None:
        """Store and print the result of a step."""
        self.outcomes.append(outcome)
        observation, earlier = outcome.observation, outcome.earlier
        if observation is not None:
            remark = "" if observation.as_expected else " (OTHERWISE)"
            self.show(
                f"   Discord:  {observation.observed}.{remark}\n   So:       {observation.effect}"
            )
        elif outcome.failed is not None:
            self.show(f"   NOT DONE: {outcome.failed}.")
        else:
            self.show(f"   Left out: {outcome.skipped}.")
        if earlier is not None:
            self.show(f"   {earlier.at:%Y-%m-%d}: {earlier.observed}. {earlier.effect}")

    def finish(self) -> None:
        """Print the summary, or the JSON document."""
        if not self.outcomes:
            return
        for left in self.left_behind:
            self.show(f"NOT DELETED: {left}. Delete it by hand.")
        if self._as_json:
            document = {
                "steps": [outcome.as_json() for outcome in self.outcomes],
                "left_behind": self.left_behind,
                "behaviour": self.behaviour,
            }
            print(json.dumps(document, ensure_ascii=False, indent=2))
            return
        done = [outcome for outcome in self.outcomes if outcome.observation is not None]
        unexpected = [
            str(outcome.step.number)
            for outcome in done
            if outcome.observation is not None and not outcome.observation.as_expected
        ]
        print(
            f"\n{len(done)} of {len(self.outcomes)} steps done; unexpected: "
            f"{', '.join(unexpected) or 'none'}. The bot reads this at its next start."
        )
