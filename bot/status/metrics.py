"""All metrics of a bot, with their current values.

`docs/grafana.json` shows them, and `docs/operating.md` explains them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from bot import __version__
from bot.board_records import KINDS
from bot.client import TichuBot
from bot.runtime.discord_private import heartbeat_age_s
from bot.runtime.metrics import Histogram, Metrics
from bot.status.current_bot import shards
from bot.table.state import OpenTable
from engine import VARIANTS

Labels: TypeAlias = tuple[str, ...]
"""Values of a metric's labels, in order."""
TableStatus = Literal["lobby", "playing", "paused"]
STATUSES: Final[tuple[TableStatus, ...]] = ("lobby", "playing", "paused")


class Metric(NamedTuple):
    """Metric, with a value for each combination of labels."""

    name: str
    """Public name; the exposition appends ``_total`` to the name of a counter."""
    kind: Literal["counter", "gauge", "histogram"]
    """Type of the metric."""
    help: str
    """Help text, one sentence."""
    values: Mapping[Labels, float | Histogram]
    """Values by labels: numbers, or for the kind ``histogram`` histograms."""
    labels: tuple[str, ...] = ()
    """Names of the labels."""


def current_metrics(bot: TichuBot) -> Iterator[Metric]:
    """Yield the metrics of a bot; before login only some of them."""
    build = "Version of the program, as a label; always 1."
    yield Metric("tichu_build_info", "gauge", build, {(__version__,): 1}, ("version",))
    yield from _traffic_metrics(bot.metrics)
    if hasattr(bot, "tables"):
        yield from _play_metrics(bot)
    yield from _shard_metrics(bot)


def table_status(table: OpenTable) -> TableStatus:
    """Return the status of an open table."""
    if not table.running:
        return "lobby"
    return "paused" if table.timers.paused else "playing"


def _traffic_metrics(metrics: Metrics) -> Iterator[Metric]:
    """Yield the metrics of requests, responses, queues and the event loop."""
    yield Metric(
        "tichu_interaction_seconds",
        "histogram",
        "Time from the arrival of a click or command until its accepted response was sent first.",
        {(kind,): times for kind, times in metrics.answers.items()},
        ("kind",),
    )
    yield Metric(
        "tichu_interactions_unanswered",
        "counter",
        "Clicks and commands without a response: Discord failed, it was late, or was rejected.",
        {(cause,): count for cause, count in metrics.unanswered.items()},
        ("cause",),
    )
    yield Metric(
        "tichu_clicks_ahead",
        "counter",
        "Clicks on controls of a later state of the table than the stored one: moves are lost.",
        {(): metrics.clicks_ahead},
    )
    yield Metric(
        "tichu_ready_timestamp_seconds",
        "gauge",
        "Unix time at which the bot became ready.",
        {} if metrics.ready_at is None else {(): metrics.ready_at},
    )
    yield Metric(
        "tichu_loop_lag_seconds",
        "histogram",
        "Event-loop lag.",
        {(): metrics.loop_lag},
    )
    yield Metric(
        "tichu_discord_requests",
        "counter",
        "Requests to Discord; the status is 'lost' without a response.",
        metrics.requests,
        ("method", "route", "status"),
    )
    yield Metric(
        "tichu_discord_request_seconds",
        "histogram",
        "Time from a request to Discord to the start of its response.",
        {(): metrics.request_times},
    )
    yield Metric(
        "tichu_discord_rate_limited",
        "counter",
        "Requests that Discord rate-limited (429), by scope of the limit.",
        {(scope,): count for scope, count in metrics.limited.items()},
        ("scope",),
    )
    yield Metric(
        "tichu_open_hands",
        "gauge",
        "Private hands that are kept up to date.",
        {(): metrics.open_hands()},
    )
    yield Metric(
        "tichu_queue_length",
        "gauge",
        "Queue lengths: messages for channels, the outbox part of these, commits, pictures, "
        "decisions of computer players, tasks of reviews.",
        {(queue,): length() for queue, length in metrics.queues.items()},
        ("queue",),
    )


def _play_metrics(bot: TichuBot) -> Iterator[Metric]:
    """Yield the metrics of tables, storage and computer players."""
    tables = Counter((table.options.variant, table_status(table)) for table in bot.tables.all())
    yield Metric(
        "tichu_tables",
        "gauge",
        "Open tables by game and status.",
        {(game, status): tables[game, status] for game in VARIANTS for status in STATUSES},
        ("game", "status"),
    )
    yield Metric(
        "tichu_damaged_tables",
        "gauge",
        "Open tables that could not be restored at the start; see the log.",
        {(): len(bot.tables.damaged)},
    )
    yield Metric(
        "tichu_commit_seconds",
        "histogram",
        "Time from a commit request until the change is on disk.",
        {(): bot.store.tables.commit_times},
    )
    yield Metric(
        "tichu_storage_trouble",
        "gauge",
        "1 if the latest write to the database failed.",
        {(): bot.store.failing},
    )
    yield Metric(
        "tichu_computer_decisions",
        "counter",
        "Decisions of computer players.",
        {(): bot.scheduler.total},
    )
    yield Metric(
        "tichu_computer_decisions_late",
        "counter",
        "Decisions that a Novice made because no Expert had in time.",
        {(): bot.scheduler.late},
    )
    yield Metric(
        "tichu_reviews",
        "counter",
        "Reviews of rounds that were made, or begun but not made.",
        {("made",): bot.reviews.made, ("failed",): bot.reviews.failed},
        ("result",),
    )
    yield Metric(
        "tichu_review_seconds",
        "histogram",
        "Time from the request of a new review until it was stored.",
        {(): bot.reviews.times},
    )
    games = bot.tables.solo_games
    yield Metric(
        "tichu_solo_rounds",
        "counter",
        "Rounds of one person on a deal of the day or of a challenge that were begun or finished.",
        {
            (kind, event): counts[kind]
            for event, counts in (("begun", games.begun), ("finished", games.finished))
            for kind in KINDS
        },
        ("kind", "event"),
    )
    yield Metric(
        "tichu_solo_answer_seconds",
        "histogram",
        "Time in which the computers answered a choice in such a round.",
        {(): games.answer_times},
    )
    yield Metric(
        "tichu_workers_ready",
        "gauge",
        "Worker processes of Experts that are ready or busy.",
        {(): 0 if bot.workers is None else bot.workers.size},
    )
    yield Metric(
        "tichu_worker_restarts",
        "counter",
        "Restarts of worker processes that died, hung or failed to start.",
        {
            ("expert",): 0 if bot.workers is None else bot.workers.replaced,
            ("painter",): bot.pictures.failed,
        },
        ("process",),
    )


def _shard_metrics(bot: TichuBot) -> Iterator[Metric]:
    """Yield the metrics of each shard."""
    own = shards(bot)
    latencies = {n: shard.latency for n, shard in bot.shards.items()}
    ages = {n: heartbeat_age_s(shard) for n, shard in bot.shards.items()}
    yield Metric(
        "tichu_shard_count",
        "gauge",
        "Number of shards in all processes of the bot.",
        {(): bot.shard_count} if own and bot.shard_count is not None else {},
    )
    yield Metric(
        "tichu_gateway_connected",
        "gauge",
        "1 if the shard is connected to Discord.",
        {(str(shard.number),): shard.connected for shard in own},
        ("shard",),
    )
    yield Metric(
        "tichu_shard_lease",
        "gauge",
        "1 if this process holds the lease of the shard.",
        {(str(shard.number),): shard.served for shard in own},
        ("shard",),
    )
    yield Metric(
        "tichu_shard_servers",
        "gauge",
        "Servers with the bot, by shard.",
        {(str(shard.number),): shard.servers for shard in own},
        ("shard",),
    )
    yield Metric(
        "tichu_shard_tables",
        "gauge",
        "Open tables, by shard.",
        {(str(shard.number),): shard.tables for shard in own},
        ("shard",),
    )
    yield Metric(
        "tichu_gateway_latency_seconds",
        "gauge",
        "Latency of the shard's last acknowledged heartbeat.",
        {(str(n),): seconds for n, seconds in latencies.items() if math.isfinite(seconds)},
        ("shard",),
    )
    yield Metric(
        "tichu_gateway_heartbeat_age_seconds",
        "gauge",
        "Age of the shard's last acknowledged heartbeat; usually below 45.",
        {(str(n),): age for n, age in ages.items() if age is not None},
        ("shard",),
    )
