"""Runs the steps of the doctor, and stores their findings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bot.doctor.behaviour import Finding, Findings, FindingsStore, OldMessage
from bot.doctor.observation import Observation, StepFailed, StepSkipped
from bot.doctor.step import Step
from bot.doctor.visit import Visit
from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a step: an observation, or the reason why there is none."""

    step: Step
    observation: Observation | None = None
    skipped: str | None = None
    """Reason for skipping the step."""
    failed: str | None = None
    """Reason of the failure."""
    earlier: Finding | None = None
    """Finding of an earlier run, if this run has none."""

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON."""
        step, observation = self.step, self.observation
        return {
            "number": step.number,
            "title": step.title,
            "expected": step.expected,
            "observed": None if observation is None else observation.observed,
            "as_expected": None if observation is None else observation.as_expected,
            "effect": None if observation is None else observation.effect,
            "skipped": self.skipped,
            "failed": self.failed,
        }


class Examination:
    """Runner of steps; its findings are from this run and from earlier runs."""

    def __init__(self, store: FindingsStore, findings: Findings) -> None:
        self._store = store
        self.findings = findings

    async def keep_old_message(self, old: OldMessage | None) -> None:
        """Store the message that this run leaves for a later one, or `None` if there is none."""
        await self._store_findings(self.findings.model_copy(update={"old_message": old}))

    async def carry_out(
        self,
        visit: Visit,
        steps: Iterable[Step],
        on_begin: Callable[[Step], object],
        on_end: Callable[[Outcome], object],
    ) -> None:
        """Run the steps, and clean up after each.

        `on_begin` is called before each step, `on_end` with its outcome.
        """
        for step in steps:
            on_begin(step)
            outcome = await self._run_step(visit, step)
            if (observation := outcome.observation) is not None:
                finding = Finding(
                    observed=observation.observed,
                    as_expected=observation.as_expected,
                    effect=observation.effect,
                    at=visit.now,
                )
                await self._store_findings(
                    self.findings.with_finding(step.number, finding, observation.behaviour_changes)
                )
            on_end(outcome)

    async def _run_step(self, visit: Visit, step: Step) -> Outcome:
        """Run a step and clean up. Return its outcome, also if it raises an exception."""
        earlier = self.findings.steps.get(step.number)
        if visit.operator_if_present is not None:
            visit.operator_if_present.begin()
        elif step.needs_operator:
            return Outcome(step, skipped="it needs a person", earlier=earlier)
        try:
            return Outcome(step, await step.run(visit))
        except StepSkipped as reason:
            return Outcome(step, skipped=str(reason), earlier=earlier)
        except StepFailed as reason:
            return Outcome(step, failed=str(reason), earlier=earlier)
        except Exception as error:  # noqa: BLE001 - the other steps can be done all the same
            log.error("step %s: unhandled exception:\n%s", step.number, kinds_and_frames(error))
            return Outcome(
                step, failed=f"an unexpected answer ({type(error).__name__})", earlier=earlier
            )
        finally:
            await visit.clean_up()

    async def _store_findings(self, findings: Findings) -> None:
        self.findings = findings
        await self._store.save(findings)
