"""Steps without people: the expected answer and planted others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from simcord.backend.errors import BackendError

from bot.doctor.behaviour import DiscordBehaviour, Findings
from bot.doctor.examination import Outcome
from bot.doctor.observation import Observation
from bot.doctor.steps import STEPS
from tests.bot.doctor.clinic import Clinic, Request, clinic

CREATE = r"/channels/\d+/messages"
EDIT = r"/channels/\d+/messages/\d+"
HOUR = timedelta(hours=1, minutes=1)
LIMITED = {"X-RateLimit-Limit": "5", "X-RateLimit-Reset-After": "4.9"}


@pytest.fixture
async def there() -> AsyncIterator[Clinic]:
    async with clinic() as started:
        yield started
        assert list(started.everything()) == [], "the doctor has left something"


def seen(outcome: Outcome) -> Observation:
    """Return the observation of a step that could be done."""
    assert outcome.observation is not None, (outcome.skipped, outcome.failed)
    return outcome.observation


def stored(there: Clinic) -> Findings:
    """Return the stored findings."""
    assert there.store.stored is not None
    return Findings.model_validate_json(there.store.stored)


def with_limits(there: Clinic, headers: dict[str, str]) -> None:
    """Give all answers of channels these headers, which SimCord does not send."""

    def limited(request: Request) -> Any:
        status = 200
        try:
            return request.usual()
        except BackendError as error:
            status = error.status
            raise
        finally:
            there.api.record_response(request.method, f"/api/v10{request.path}", status, headers)

    for method in ("POST", "PATCH", "DELETE"):
        there.plant(method, CREATE + r"(/\d+)?", limited)


def test_each_step_describes_its_expectation() -> None:
    assert [step.number for step in STEPS] == list(range(1, 22))
    assert all(step.title and step.expected for step in STEPS)


async def test_everything_is_as_expected(there: Clinic) -> None:
    with_limits(there, LIMITED)
    outcomes = await there.outcomes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 21, by_hand=False)
    unexpected = {
        number: seen(outcome).observed
        for number, outcome in outcomes.items()
        if not seen(outcome).as_expected
    }
    assert unexpected == {}
    findings = stored(there)
    assert findings.behaviour == DiscordBehaviour()
    assert {number: each.observed for number, each in findings.steps.items()} == {
        number: seen(outcome).observed for number, outcome in outcomes.items()
    }


async def test_steps_with_people_are_skipped_without_them(there: Clinic) -> None:
    by_hand = [step.number for step in STEPS if step.needs_operator]
    outcomes = await there.outcomes(*by_hand, by_hand=False)
    assert {outcome.skipped for outcome in outcomes.values()} == {"it needs a person"}
    assert by_hand == [13, 14, 15, 16, 17, 18, 19, 20]


async def test_finds_that_pictures_without_an_id_are_never_kept(there: Clinic) -> None:
    def without(request: Request) -> Any:
        message = dict(request.usual())
        for part in message["components"]:
            for item in part.get("items", ()):
                item["media"].pop("attachment_id", None)
        return message

    there.plant("POST", CREATE, without)
    outcome = seen(await there.outcome(1))
    assert not outcome.as_expected
    assert not stored(there).behaviour.keeps_pictures_by_id
    assert not seen(await there.outcome(2)).as_expected
    assert (await there.outcome(3)).observation is not None


async def test_finds_that_pictures_must_be_uploaded_again(there: Clinic) -> None:
    there.refuse("PATCH", EDIT)
    outcome = seen(await there.outcome(2))
    assert (outcome.observed, outcome.as_expected) == ("400/50035", False)
    assert stored(there).behaviour.unexpected() == {"keeps_pictures_by_id": False}


async def test_advises_emojis_where_pictures_are_slow(there: Clinic) -> None:
    def slow(request: Request) -> Any:
        there.env.backend.clock.advance(1.6 if request.body["attachments"] else 0.2)
        return request.usual()

    there.plant("PATCH", EDIT, slow)
    outcome = seen(await there.outcome(21))
    assert outcome.observed == "1.6 s with a new picture, 0.2 s without (medians)"
    assert not outcome.as_expected
    assert "emojis" in outcome.effect


@pytest.mark.parametrize("status", [403, 404, 429, 500, 502])
@pytest.mark.parametrize("step", [2, 4])
async def test_temporary_failure_is_no_finding(there: Clinic, step: int, status: int) -> None:
    there.refuse("PATCH", EDIT, status, 0)
    assert (await there.outcome(step)).failed is not None
    assert there.store.stored is None


async def test_keeps_the_old_message_after_a_failure(there: Clinic) -> None:
    await there.outcome(11)
    await there.env.advance_time(HOUR.total_seconds())
    broken = True

    def failing(request: Request) -> Any:
        if broken:
            raise BackendError(502, 0, "planted")
        return request.usual()

    there.plant("PATCH", EDIT, failing)
    assert (await there.outcome(11)).failed is not None
    broken = False
    assert (await there.outcome(11)).observation is not None


async def test_kept_picture_with_an_id_does_not_undo_the_finding(there: Clinic) -> None:
    there.refuse("PATCH", EDIT)
    await there.outcome(2)
    assert seen(await there.outcome(1)).as_expected
    assert not stored(there).behaviour.keeps_pictures_by_id


async def test_finds_that_a_named_but_dropped_file_is_accepted(there: Clinic) -> None:
    there.plant("PATCH", EDIT, lambda request: {"id": "1", "components": [], "attachments": []})
    outcome = seen(await there.outcome(3))
    assert (outcome.observed, outcome.as_expected) == ("200", False)
    assert stored(there).behaviour == DiscordBehaviour()


async def test_finds_that_edits_cannot_add_pictures(there: Clinic) -> None:
    there.refuse("PATCH", EDIT)
    assert not seen(await there.outcome(4)).as_expected
    assert stored(there).behaviour.unexpected() == {"edits_bring_uploads": False}


async def test_finds_that_an_unlisted_file_is_removed(there: Clinic) -> None:
    def without(request: Request) -> Any:
        return {**request.usual(), "attachments": []}

    there.plant("GET", EDIT, without)
    outcome = seen(await there.outcome(5))
    assert (outcome.observed, outcome.as_expected) == ("the file is gone", False)


async def test_finds_limits_of_nonces(there: Clinic) -> None:
    def forgetful(request: Request) -> Any:
        request.body.pop("enforce_nonce", None)
        return request.usual()

    there.plant("POST", CREATE, forgetful)
    outcome = seen(await there.outcome(6))
    assert not outcome.as_expected
    assert outcome.observed.count("another message") == 2


async def test_finds_another_way_to_count_texts(there: Clinic) -> None:
    def in_utf_16(request: Request) -> Any:
        texts = [part.get("content", "") for part in request.body.get("components", ())]
        if sum(len(text.encode("utf-16-le")) // 2 for text in texts) > 4000:
            raise BackendError(400, 50035, "too long")
        return request.usual()

    there.plant("POST", CREATE, in_utf_16)
    outcome = seen(await there.outcome(7))
    assert outcome.as_expected, outcome.observed
    assert "👍 counts as two" in outcome.observed
    assert "right or safe" in outcome.effect


async def test_finds_smaller_limits_of_a_message(there: Clinic) -> None:
    def shorter(request: Request) -> Any:
        texts = [part.get("content", "") for part in request.body.get("components", ())]
        if sum(map(len, texts)) > 3000:
            raise BackendError(400, 50035, "too long")
        return request.usual()

    there.plant("POST", CREATE, shorter)
    outcome = seen(await there.outcome(7))
    assert not outcome.as_expected
    assert "report it" in outcome.effect


@pytest.mark.parametrize("status, as_expected", [(400, True), (500, False)])
async def test_finds_that_unknown_defaults_are_refused(
    there: Clinic, status: int, as_expected: bool
) -> None:
    there.refuse("POST", CREATE, status, 0)
    outcome = seen(await there.outcome(8))
    assert outcome.observed == f"role: {status}; channel: {status}"
    assert outcome.as_expected is as_expected


async def test_finds_that_threads_start_without_a_notice(there: Clinic) -> None:
    there.plant("GET", CREATE, lambda request: [])
    outcome = seen(await there.outcome(9))
    assert not outcome.as_expected
    assert stored(there).behaviour.unexpected() == {"announces_threads": False}
    left = [words for words in there.everything() if words.startswith("message")]
    assert len(left) == 1, "what it was not shown it cannot delete"
    there.env.backend.messages[there.channel.id].clear()


async def test_finds_smaller_rate_limits(there: Clinic) -> None:
    with_limits(there, {**LIMITED, "X-RateLimit-Limit": "1"})
    outcome = seen(await there.outcome(10))
    assert not outcome.as_expected
    assert outcome.observed.startswith("create: 200, 1 requests, the next window in 4.9 s")


async def test_finds_that_direct_messages_are_refused(there: Clinic) -> None:
    there.refuse("POST", CREATE, 403, 50007)
    outcome = seen(await there.outcome(12))
    assert not outcome.as_expected
    assert "403/50007" in outcome.observed


# --- the message of step 11 ---------------------------------------------------------------------


async def test_finds_in_a_later_run_that_old_edits_are_refused(there: Clinic) -> None:
    first = await there.outcome(11)
    assert first.skipped is not None
    assert f"doctor {there.channel.id} --steps 11" in first.skipped
    (left,) = there.everything()
    assert "step 11" in left
    assert stored(there).old_message is not None

    again = await there.outcome(11)
    assert again.skipped == first.skipped, "it is too young, and stays"
    there.age(HOUR)
    outcome = seen(await there.outcome(11))
    assert outcome.as_expected
    assert outcome.observed.startswith("3 edits were taken, then 429/30046")
    assert stored(there).old_message is None
    assert stored(there).behaviour == DiscordBehaviour()


async def test_finds_that_old_edits_are_unlimited(there: Clinic) -> None:
    await there.outcome(11)
    there.age(HOUR)
    there.plant("PATCH", EDIT, lambda request: {"id": request.path.rpartition("/")[2]})
    outcome = seen(await there.outcome(11))
    assert (outcome.observed, outcome.as_expected) == ("10 edits were taken", False)
    assert stored(there).behaviour.unexpected() == {"limits_old_edits": False}


async def test_handles_a_deleted_old_message(there: Clinic) -> None:
    await there.outcome(11)
    there.env.backend.messages[there.channel.id].clear()
    there.age(HOUR)
    outcome = await there.outcome(11)
    assert outcome.skipped is not None
    assert "deleted" in outcome.skipped
    assert stored(there).old_message is None


# --- failures ------------------------------------------------------------------------------------


async def test_failed_step_is_reported_and_the_others_continue(there: Clinic) -> None:
    there.refuse("POST", r"/channels/\d+/threads", 403, 50013)
    outcomes = await there.outcomes(9, 10, by_hand=False)
    assert outcomes[9].failed == "the doctor could not start a thread (403/50013: planted)"
    assert outcomes[10].observation is not None


async def test_unexpected_answer_ends_one_step_only(there: Clinic) -> None:
    there.plant("POST", CREATE, lambda request: {"id": "1"})
    outcomes = await there.outcomes(1, 10, by_hand=False)
    assert outcomes[1].failed == "an unexpected answer (KeyError)"
    assert set(outcomes) == {1, 10}


async def test_repeating_a_step_keeps_the_other_findings(there: Clinic) -> None:
    there.refuse("PATCH", EDIT)
    await there.outcomes(2, 4, by_hand=False)
    there.plant("PATCH", EDIT, lambda request: request.usual())
    again = await there.outcome(2, by_hand=False)
    assert seen(again).as_expected
    findings = stored(there)
    assert findings.behaviour.unexpected() == {"edits_bring_uploads": False}
    assert sorted(findings.steps) == [2, 4]
    left_out = await there.outcome(13, by_hand=False)
    assert left_out.earlier is None


async def test_names_what_cannot_be_deleted(there: Clinic) -> None:
    there.refuse("DELETE", EDIT, 403, 50013)
    visit = there.visit()
    await visit.post({"content": "stays"})
    await visit.clean_up()
    (left,) = visit.left_behind
    assert left.endswith("(403/50013)")
    there.env.backend.messages[there.channel.id].clear()


async def test_archives_threads_it_may_not_delete(there: Clinic) -> None:
    visit = there.visit()
    visit.may_delete_threads = False
    thread = await visit.thread("Doctor")
    await visit.clean_up()
    metadata = there.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None
    assert metadata.archived
    (left,) = visit.left_behind
    assert str(thread.id) in left
    del there.env.backend.channels[thread.id]
