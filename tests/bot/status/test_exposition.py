"""Metrics in Prometheus format."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from bot.runtime.metrics import Histogram
from bot.status.exposition import Exposition
from bot.status.metrics import Metric


def samples(*metrics: Metric) -> dict[tuple[str, ...], float]:
    """Return the values that Prometheus reads, by name and label values."""
    found = {}
    for family in text_string_to_metric_families(Exposition(lambda: metrics).text().decode()):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


def test_exposes_counters_gauges_and_histograms() -> None:
    times = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.5, 0.6, 7.0):
        times.observe(seconds)
    found = samples(
        Metric("tichu_eggs", "counter", "Eggs.", {("a", "b"): 3}, ("first", "second")),
        Metric("tichu_birds", "gauge", "Birds.", {(): True}),
        Metric("tichu_song_seconds", "histogram", "Songs.", {("lark",): times}, ("bird",)),
    )
    assert found["tichu_eggs_total", "a", "b"] == 3
    assert found[("tichu_birds",)] == 1
    buckets = {
        key[2]: value for key, value in found.items() if key[0] == "tichu_song_seconds_bucket"
    }
    assert buckets == {"0.1": 1, "1.0": 3, "+Inf": 4}
    assert found["tichu_song_seconds_count", "lark"] == 4
    assert found["tichu_song_seconds_sum", "lark"] == 8.15


def test_exposes_process_metrics() -> None:
    found = samples()
    assert found[("process_resident_memory_bytes",)] > 1e6
    assert ("process_cpu_seconds_total",) in found


def test_two_expositions_in_one_process_are_separate() -> None:
    first, second = (Metric("tichu_birds", "gauge", "Birds.", {(): n}) for n in (1, 2))
    assert samples(first)[("tichu_birds",)] == 1
    assert samples(second)[("tichu_birds",)] == 2
