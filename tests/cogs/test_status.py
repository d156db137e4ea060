"""Status for operators: metrics, health and readiness."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import __version__
from bot.board_records import KINDS
from bot.runtime.logs import set_up_logging
from bot.status.log_summary import IDLE_MINUTES, LogSummary
from bot.status.metrics import STATUSES, current_metrics
from bot.status.pages import LONGEST_SILENCE_S
from cogs.clicks.registry import CONTROLS
from cogs.pages.verbs import Verb
from engine import VARIANTS, Phase
from tests.campaign import sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.eyes import cards_in_text
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, match_over, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.status_page import asking
from tests.cogs.table_play import seat_all
from tests.cogs.test_trouble import read_only
from tests.cogs.worlds import World
from tests.simcord_clicks import text

DOCS = Path(__file__).parents[2] / "docs"
DASHBOARD, ALERTS = DOCS / "grafana.json", DOCS / "alerts.yaml"
PAGES = DOCS / "operating.md", DOCS / "scaling.md"
GAMES: dict[str, dict[str, Any]] = {
    "nanjing": {"target": 300},
    "trichu": {"variant": "trichu", "rounds": 3, "people": 3},
    "tientsin": {"variant": "tientsin", "target": 100},
    "grandseigneur": {"variant": "grandseigneur", "seats": 5, "rounds": 2},
}
NAMES = ("Zebulon", "Quentina", "Wilhelmina", "Xanthippe")
"""Names that no log line of ours contains."""
SECRETS = f"DRAGON SA {NAMES[0]}"


async def test_metrics_count_clicks(world: World) -> None:
    async with asking(world.bot) as asked:
        assert await asked.value("tichu_tables", game="nanjing", status="lobby") == 0
        (ada,) = world.people("Ada")
        await ada.slash("tichu new", computers=3)
        assert await asked.value("tichu_interaction_seconds_count", kind="/new") == 1
        assert await asked.value("tichu_tables", status="lobby") == 1
        await ada.press(Verb.START)
        await ada.press(Verb.HAND)
        assert await asked.value("tichu_interaction_seconds_count", kind="start") == 1
        assert await asked.value("tichu_tables", game="nanjing", status="playing") == 1
        assert await asked.value("tichu_tables") == 1
        assert await asked.value("tichu_open_hands") == 1
        assert await asked.value("tichu_queue_length") == 0
        assert await asked.value("tichu_commit_seconds_count") > 2
        assert await asked.value("tichu_gateway_connected", shard="0") == 1
        await world.env.advance_time(60)  # they answer the Grand Tichu question
        assert await asked.value("tichu_computer_decisions_total") > 0
        assert await asked.value("tichu_computer_decisions_late_total") == 0
        assert await asked.value("tichu_queue_length", queue="reviews") == 0
        for result in ("made", "failed"):
            assert await asked.value("tichu_reviews_total", result=result) == 0
        assert await asked.value("tichu_review_seconds_count") == 0
        for event in ("begun", "finished"):
            assert await asked.value("tichu_solo_rounds_total", kind="daily", event=event) == 0
        assert await asked.value("tichu_solo_answer_seconds_count") == 0
        await world.env.advance_time(16 * 60)
        assert await asked.value("tichu_tables", status="paused") == 1


async def test_metrics_count_waiting_messages(world: World) -> None:
    async with asking(world.bot) as asked:
        players = await seat_all(world, world.people("Ada", "Ben"), target=5000)
        world.env.inject_error("POST", "/channels/*", status=503, times=None)
        await fast_forward(world, reached(Phase.ROUND_END), players=players)
        assert await asked.value("tichu_queue_length", queue="outbox") > 0
        messages = await asked.value("tichu_queue_length", queue="messages")
        assert messages >= await asked.value("tichu_queue_length", queue="outbox")
        world.env.backend.faults.clear()
        await world.env.advance_time(15)
        assert await asked.value("tichu_queue_length", queue="outbox") == 0


async def test_reports_health_and_readiness(world: World, errors: ErrorRecords) -> None:
    async with asking(world.bot) as asked:
        assert await asked.page("live") == (200, "The bot lives.\n")
        assert await asked.page("ready") == (200, "The bot is ready.\n")
        errors.allow("database write failed")
        async with read_only(world):
            status, sentence = await asked.page("ready")
            assert (status, sentence.count("\n")) == (503, 1)
            assert sentence.startswith(
                "Nothing can be stored: the database or its folder is read-only"
            )
            assert await asked.value("tichu_storage_trouble") == 1
            assert (await asked.page("live"))[0] == 200
        assert (await asked.page("ready"))[0] == 200
        assert await asked.value("tichu_storage_trouble") == 0
        await world.bot.on_shard_disconnect(0)
        assert await asked.page("ready") == (503, "Not connected to Discord: shard 0 of 1.\n")
        assert await asked.value("tichu_gateway_connected", shard="0") == 0
        await world.bot.on_shard_resumed(0)
        assert (await asked.page("ready"))[0] == 200
        assert world.bot.beaten_at is not None
        world.bot.beaten_at -= LONGEST_SILENCE_S + 1
        status, sentence = await asked.page("live")
        assert status == 503
        assert sentence.startswith("The bot hangs")
        assert (await asked.page("elsewhere"))[0] == 404


async def test_reports_status_before_and_after_the_bot_runs(world: World) -> None:
    """A starting bot that waits for Discord is alive but not ready."""
    async with asking(world.bot) as asked:
        pass
    nobody: Any = None
    async with asking(nobody) as asked:
        assert (await asked.page("live"))[0] == 200
        assert await asked.page("ready") == (503, "The bot has not logged in to Discord yet.\n")
        assert not [s for s in await asked.samples() if s.name.startswith("tichu_")]


async def test_dashboard_and_alerts_use_existing_metrics(world: World) -> None:
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    targets = [at for panel in dashboard["panels"] for at in panel.get("targets", ())]
    alerts = yaml.safe_load(ALERTS.read_text("utf-8"))
    targets += [rule for group in alerts["groups"] for rule in group["rules"]]
    expressions = json.dumps([target["expr"] for target in targets])
    questions = expressions + "".join(page.read_text("utf-8") for page in PAGES)
    asked_for = set(re.findall(r"\b(?:tichu|process|python)_[a-z_]+", questions))
    async with asking(world.bot) as asked:
        (ada,) = world.people("Ada")
        await ada.slash("tichu new")  # a histogram by kind has none without a sample
        _, written = await asked.page("metrics")
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", written, re.MULTILINE))
    there = {
        f"{name}{ending}"
        for name, kind in kinds.items()
        for ending in (("_bucket", "_sum", "_count") if kind == "histogram" else ("",))
    }
    assert asked_for - there == set()
    labels: dict[str, set[str]] = {}
    for name, written_labels in re.findall(r"^(\w+)\{(.*)\} ", written, re.MULTILINE):
        labels.setdefault(name, set()).update(re.findall(r'(\w+)="', written_labels))
    for bound in re.findall(r'le=\\"([\d.]+)', expressions):
        assert f'tichu_interaction_seconds_bucket{{kind="/new",le="{bound}"}}' in written
    for target in targets:
        names = set(re.findall(r"\b(?:tichu|process|python)_\w+", target["expr"]))
        there_labels = set().union(*(labels.get(name, set()) for name in names))
        wanted = set(re.findall(r'(\w+)!?[=~]+"', target["expr"]))
        wanted |= set(re.findall(r"\{\{(\w+)\}\}", target.get("legendFormat", "")))
        for grouped in re.findall(r"by \(([^)]*)\)", target["expr"]):
            wanted |= set(grouped.split(", "))
        wanted -= {"instance", "job"}  # Prometheus adds them
        assert not labels.keys() & names or wanted <= there_labels, target
    ours = {metric.name for metric in current_metrics(world.bot)}
    shown = {name for name in ours if any(used.startswith(name) for used in asked_for)}
    assert ours - shown == set(), "metrics that the dashboard does not show"


async def test_logs_one_line_a_minute(world: World) -> None:
    line = LogSummary(world.bot)
    assert line.next_line() is None
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    await ada.press(Verb.START)
    told = line.next_line()
    assert told is not None
    assert told.startswith("last 2 minutes: 2 answers (")
    assert "tables: 0 lobby, 1 playing, 0 paused" in told
    assert told.endswith("1 of 1 shards connected")
    assert "\n" not in told
    await ada.press(Verb.HAND)
    told = line.next_line()
    assert told is not None
    assert told.startswith("last minute: 1 answers (")


async def test_idle_bot_logs_less_often(world: World) -> None:
    line = LogSummary(world.bot)
    told = [line.next_line() for _ in range(2 * IDLE_MINUTES)]
    assert [n for n, text in enumerate(told, 1) if text is not None] == [15, 30]


@pytest.fixture
def whole_log() -> Iterator[io.StringIO]:
    """Yield everything the bot would log, in both formats, at DEBUG."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {
        name: logger.level
        for name, logger in root.manager.loggerDict.items()
        if isinstance(logger, logging.Logger)
    }
    written = io.StringIO()
    set_up_logging("DEBUG", "json", secret="secret", stream=written)
    (as_json,) = root.handlers
    set_up_logging("DEBUG", "text", secret="secret", stream=written)
    root.handlers[:] = [*before, *root.handlers, as_json]
    yield written
    root.handlers[:] = before
    root.setLevel(level)
    for name, logger in root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger):
            logger.setLevel(levels.get(name, logging.NOTSET))
    logging.captureWarnings(False)


@pytest.mark.parametrize("game", sample(GAMES, 1))
async def test_metrics_and_logs_contain_no_cards_and_names(
    world: World,
    whole_log: io.StringIO,
    errors: ErrorRecords,
    game: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a whole match with one failure each of Discord, the database and the program."""

    def names_cards(*_: object) -> None:
        raise ValueError(SECRETS)

    for trouble in ("database write failed", "unhandled exception"):
        errors.allow(trouble)
    options = dict(GAMES[game])
    people = world.people(*NAMES[: options.pop("people", 4)])
    players = await seat_all(world, people, **options)
    async with asking(world.bot) as asked:
        clicks = tricks(1, world.game().match)
        await begin_by_clicks(world, players, reached(Phase.TURN), clicks=clicks)
        async with read_only(world):
            await world.env.advance_time(100)  # awaited players become absent
        await world.env.advance_time(10)
        with monkeypatch.context() as broken:
            for place in ("table_actions", "errors"):
                broken.setattr(f"cogs.clicks.{place}.hand_page", names_cards)
            answer = await people[0].press(Verb.HAND)
        world.env.inject_error("PATCH", "/channels/*", status=503, times=2)
        await begin_by_clicks(world, players, match_over, clicks=clicks)
        _, page_of_metrics = await asked.page("metrics")
        samples = await asked.samples()
        line = LogSummary(world.bot)
        line_text = [said for _ in range(IDLE_MINUTES) if (said := line.next_line())]
    logged = whole_log.getvalue()
    assert "database write failed" in logged
    assert "[table 1" in logged
    (named,) = {vars(record)["error"] for record in errors.records if "error" in vars(record)}
    assert answer.response is not None
    assert named in text(answer.response)
    own = [told for told in logged.splitlines() if "simcord" not in told]
    for told in (page_of_metrics, *line_text, *own):
        assert list(cards_in_text(told)) == [], told
        for person, name in zip(people, NAMES, strict=False):
            assert name not in told
            assert str(person.id) not in told
    assert str(world.guild.id) not in page_of_metrics
    assert str(world.channel.id) not in page_of_metrics
    commands = {f"/{name}" for name in ("new", "hand", "tichu")}
    labels: dict[str, set[str]] = {
        "version": {__version__},
        "kind": {*CONTROLS, *commands, *KINDS},
        "event": {"begun", "finished"},
        "game": set(VARIANTS),
        "status": {*STATUSES},
        "shard": {"0"},
        "process": {"expert", "painter"},
        "cause": {"discord", "late", "rejected"},
        "queue": {"clicks", "messages", "outbox", "commits", "pictures", "decisions", "reviews"},
        "result": {"made", "failed"},
    }
    for metric in samples:
        if metric.name.startswith("tichu_"):
            for label, value in metric.labels.items():
                assert label == "le" or value in labels[label], metric


async def test_unknown_controls_share_one_label(world: World) -> None:
    (ada,) = world.people("Ada")
    lobby = await ada.slash("tichu new", computers=3)
    assert lobby.response is not None
    message, _ = world.newest_with(Verb.START)
    await forge(ada, message, "b:1:0:made-up:DRAGON")
    async with asking(world.bot) as asked:
        assert await asked.value("tichu_interaction_seconds_count", kind="unknown") == 1
        kinds = {
            sample.labels["kind"] for sample in await asked.samples() if "kind" in sample.labels
        }
    assert "made-up" not in kinds
