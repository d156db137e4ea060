"""Runs the steps one after another, and stores their findings."""

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
    """Finding of an earlier run, if this one has none."""

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON."""
        step, seen = self.step, self.observation
        return {
            "number": step.number,
            "title": step.title,
            "expected": step.expected,
            "observed": None if seen is None else seen.observed,
            "as_expected": None if seen is None else seen.as_expected,
            "effect": None if seen is None else seen.effect,
            "skipped": self.skipped,
            "failed": self.failed,
        }


class Examination:
    """Runs steps; `findings` are those of this and earlier runs."""

    def __init__(self, store: FindingsStore, findings: Findings) -> None:
        self._store = store
        self.findings = findings

    async def keep(self, old: OldMessage | None) -> None:
        """Store the message that is left for a later run, or `None`."""
        await self._change(self.findings.model_copy(update={"old_message": old}))

    async def carry_out(
        self,
        visit: Visit,
        steps: Iterable[Step],
        begun: Callable[[Step], object],
        ended: Callable[[Outcome], object],
    ) -> None:
        """Run the steps, and clean up after each; `ended` is called with each outcome."""
        for step in steps:
            begun(step)
            outcome = await self._outcome(visit, step)
            if (seen := outcome.observation) is not None:
                finding = Finding(
                    observed=seen.observed,
                    as_expected=seen.as_expected,
                    effect=seen.effect,
                    at=visit.now,
                )
                await self._change(self.findings.with_finding(step.number, finding, seen.learnt))
            ended(outcome)

    async def _outcome(self, visit: Visit, step: Step) -> Outcome:
        earlier = self.findings.steps.get(step.number)
        if visit.hand is not None:
            visit.hand.begin()
        elif step.by_hand:
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

    async def _change(self, findings: Findings) -> None:
        self.findings = findings
        await self._store.save(findings)
