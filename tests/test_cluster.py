"""Files for several processes: valid settings, and each shard in one process."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import SecretStr

from bot.__main__ import parser
from bot.cli import run
from bot.runtime.settings import POSTGRES, Settings
from bot.status.pages import LONGEST_WRITE_S

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.cluster.yaml").read_text("utf-8"))
KUBERNETES: dict[str, dict[str, Any]] = {
    document["kind"]: document
    for document in yaml.safe_load_all((ROOT / "docs/kubernetes.yaml").read_text("utf-8"))
}
PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "docs/prometheus.yml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BOTS = {name: each for name, each in SERVICES.items() if each["image"] == "tichu-bot"}
NO_DEFAULT = re.compile(r"\$\{(\w+):\?[^}]*\}")
"""Variable that Compose requires in .env."""


def settings_of(environment: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the bot's settings in this environment; check that every name is one."""
    fields = set(Settings.model_fields)
    assert {name.lower() for name in environment} <= fields
    assert all(name.isupper() for name in environment)
    given = {name.lower(): value for name, value in environment.items()}
    assert given.pop("database_url").startswith(POSTGRES)  # whose package may be missing
    for name in fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return Settings(_env_file=None, **({"discord_token": SecretStr("secret")} | given))


def assert_each_shard_once(processes: Iterable[Settings]) -> None:
    counts, taken = set(), list[int]()
    for settings in processes:
        assert settings.shards is not None
        counts.add(settings.shards.count)
        taken += settings.shards.ids
    (count,) = counts
    assert sorted(taken) == list(range(count))


def test_compose_processes_have_each_shard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {name: settings_of(bot["environment"], monkeypatch) for name, bot in BOTS.items()}
    assert len(found) == 2
    assert_each_shard_once(found.values())
    (job,) = PROMETHEUS["scrape_configs"]
    (targets,) = job["static_configs"]
    assert targets["targets"] == [f"{name}:{each.metrics_port}" for name, each in found.items()]
    assert {each.metrics_address for each in found.values()} == {"0.0.0.0"}


def test_compose_starts_existing_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == "unless-stopped", name
        assert {*service.get("depends_on", ())} <= SERVICES.keys()
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            there = (ROOT / source).is_file() if source.startswith(".") else None
            assert there or source in COMPOSE["volumes"], volume
    for bot in BOTS.values():
        python, flag, package, *arguments = bot["command"]
        assert (python, flag, package) == ("python", "-m", "bot")
        given = parser().parse_args(arguments)
        assert (given.command, given.stay) == (run, True)
    database = SERVICES["database"]["environment"]
    assert NO_DEFAULT.fullmatch(database["POSTGRES_PASSWORD"])
    address = f"{database['POSTGRES_USER']}:PASSWORD@database/{database['POSTGRES_DB']}"
    for bot in BOTS.values():
        assert NO_DEFAULT.sub("PASSWORD", bot["environment"]["DATABASE_URL"]) == POSTGRES + address
    assert set(NO_DEFAULT.findall(json.dumps(COMPOSE))) == {"POSTGRES_PASSWORD"}


def test_compose_has_the_version_of_postgresql_that_was_measured() -> None:
    page = (ROOT / "docs/measurements/scaling.md").read_text("utf-8")
    (measured,) = re.findall(r"^Real processes with PostgreSQL (\d+)", page, re.MULTILINE)
    assert SERVICES["database"]["image"] == f"postgres:{measured}"


def test_kubernetes_pods_have_each_shard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pods = KUBERNETES["StatefulSet"]["spec"]
    (bot,) = pods["template"]["spec"]["containers"]
    (source,) = bot["envFrom"]
    assert source["secretRef"]["name"] == KUBERNETES["Secret"]["metadata"]["name"]
    secrets = KUBERNETES["Secret"]["stringData"] | {"DISCORD_TOKEN": "secret"}
    named = {each["name"]: each for each in bot["env"]}
    number = named.pop("POD")["valueFrom"]["fieldRef"]["fieldPath"]
    assert number == "metadata.labels['apps.kubernetes.io/pod-index']"
    plain = {name: each["value"] for name, each in named.items()} | secrets
    assert all(isinstance(value, str) for value in plain.values())
    replicas = range(pods["replicas"])
    shell, flag, script = bot["command"]
    assert script.endswith(" exec python -m bot")
    assign = script.removesuffix(" exec python -m bot")

    def shard_ids(pod: int) -> str:
        command = [shell, flag, f"{assign}; echo $SHARD_IDS"]
        return subprocess.check_output(command, env={"POD": str(pod)}, text=True).strip()

    found = [settings_of(plain | {"SHARD_IDS": shard_ids(n)}, monkeypatch) for n in replicas]
    assert_each_shard_once(found)
    (port,) = bot["ports"]
    assert port["containerPort"] == found[0].metrics_port
    assert bot["livenessProbe"]["httpGet"] == {"path": "/live", "port": port["name"]}
    assert bot["readinessProbe"]["httpGet"] == {"path": "/ready", "port": port["name"]}
    assert bot["readinessProbe"]["timeoutSeconds"] > LONGEST_WRITE_S
    labels = pods["template"]["metadata"]["labels"]
    assert pods["selector"]["matchLabels"] == labels
    for kind in ("PodDisruptionBudget", "PodMonitor"):
        assert KUBERNETES[kind]["spec"]["selector"]["matchLabels"] == labels
    assert KUBERNETES["Service"]["spec"]["selector"] == labels
    assert pods["serviceName"] == KUBERNETES["Service"]["metadata"]["name"]
    (monitored,) = KUBERNETES["PodMonitor"]["spec"]["podMetricsEndpoints"]
    assert monitored["port"] == port["name"]


def test_page_names_existing_settings() -> None:
    page = (ROOT / "docs/scaling.md").read_text("utf-8")
    named = set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", page))
    assert named <= {name.upper() for name in Settings.model_fields} | {"POSTGRES_PASSWORD"}
