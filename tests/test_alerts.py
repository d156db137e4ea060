"""docs/alerts.yaml: valid rules that fire when they should, by Prometheus' own `promtool`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULES, TESTS, CONFIGURATION = "docs/alerts.yaml", "tests/alerts.test.yaml", "docs/prometheus.yml"


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("promtool") is None,
    reason="promtool is not installed (Debian: apt install prometheus)",
)
@pytest.mark.parametrize(
    "command",
    [("check", "config", CONFIGURATION), ("check", "rules", RULES), ("test", "rules", TESTS)],
)
def test_promtool_accepts_the_rules(command: tuple[str, ...]) -> None:
    done = subprocess.run(["promtool", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
