"""Files for the continuous copy: compose.yaml, litestream.yml and their page."""

from __future__ import annotations

import re
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import make_url

ROOT = Path(__file__).parent.parent
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))[
    "services"
]
BOT, LITESTREAM = SERVICES["bot"], SERVICES["litestream"]
CONFIGURATION = (ROOT / "litestream.yml").read_text("utf-8")
EXAMPLE = (ROOT / "litestream.env.example").read_text("utf-8")
PAGE = (ROOT / "docs/operating.md").read_text("utf-8")


def test_copy_runs_on_request_as_the_user_of_the_bot() -> None:
    assert LITESTREAM["profiles"] == ["copy"]
    assert "COMPOSE_PROFILES=copy" in PAGE
    (user,) = re.findall(r"^USER (.+)$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert LITESTREAM["user"] == user
    for name in ("read_only", "cap_drop", "security_opt", "tmpfs", "restart", "logging"):
        assert LITESTREAM[name] == BOT[name], name


def test_copy_has_the_database_of_the_bot_and_none_of_its_secrets() -> None:
    assert LITESTREAM["environment"] == {
        "DATABASE": make_url(BOT["environment"]["DATABASE_URL"]).database
    }
    assert {*BOT["volumes"]} < {*LITESTREAM["volumes"]}
    assert LITESTREAM["env_file"] != BOT["env_file"]


def test_version_is_that_of_the_page() -> None:
    (version,) = re.findall(r"([\d.]+) was tried", PAGE)
    assert LITESTREAM["image"] == f"litestream/litestream:{version}"


def test_every_variable_has_an_example() -> None:
    used = set(re.findall(r"\$\{(\w+)\}", CONFIGURATION))
    examples = set(re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE))
    assert examples - used == {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
    assert used <= examples


def test_pages_say_how_long_erased_people_are_in_the_copy() -> None:
    snapshot = yaml.safe_load(CONFIGURATION)["snapshot"]
    hours = sum(int(period.removesuffix("h")) for period in snapshot.values())
    assert timedelta(hours=hours) == timedelta(days=4)
    for text in (PAGE, (ROOT / "PRIVACY.md").read_text("utf-8"), CONFIGURATION):
        assert "four days" in text


def test_rehearsal_of_postgresql_is_a_script() -> None:
    script = ROOT / "docs/rehearse-postgresql.sh"
    assert str(script.relative_to(ROOT)) in PAGE
    assert script.stat().st_mode & 0o100
    subprocess.run(["sh", "-n", str(script)], check=True)
