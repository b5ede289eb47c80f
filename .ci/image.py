"""The container image: built and run where a container engine answers, else its steps are run by this script.

    make image          # or: .venv/bin/python .ci/image.py

Without an engine the build stage's COPY lines fill an empty folder and its RUN line is run there, with the
image's /opt/mnemic in a scratch folder; mnemic is then used with the image's environment. What only an engine
can show (the base image, the user, read-only layers) is not shown then, and that is said.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = ROOT / "deployments" / "Dockerfile"
SAMPLE = ROOT / "data" / "sample" / "conversations.json"
INSTALLED, TAG = "/opt/mnemic", "mnemic:ci"
QUESTION, ANSWER = "What did I decide about epoxy on Teist?", "No epoxy anywhere on Teist"

Run = Callable[..., str]
"""Runs mnemic with these arguments and gives what it printed."""


def main() -> None:
    """Build, run, or say what was not."""
    if (engine := _engine()) is not None:
        subprocess.run([engine, "build", "--file", str(DOCKERFILE), "--tag", TAG, str(ROOT)], check=True)
        with tempfile.TemporaryDirectory() as folder:
            _used(_in_container(engine, Path(folder)))
        print(f"the image was built and run by {engine}")
        return
    with tempfile.TemporaryDirectory() as folder:
        _used(_by_script(Path(folder)))
    print("no container engine answers: the image's steps ran by script, its base, user and layers did not")


def _engine() -> str | None:
    """A container engine whose daemon answers."""
    for name in ("docker", "podman"):
        if (
            shutil.which(name)
            and not subprocess.run([name, "info"], capture_output=True, check=False).returncode
        ):
            return name
    return None


def _used(mnemic: Run) -> None:
    """Take the sample in, ask it, and look at it as the health check does."""
    mnemic("--version")
    mnemic("ingest", "--account", "sample", str(SAMPLE))
    told = mnemic("recall", "--limit", "2", QUESTION)
    if ANSWER not in told:
        sys.exit(f"recall in the image does not say {ANSWER!r}:\n{told}")
    print(told)


def _in_container(engine: str, folder: Path) -> Run:
    """As the compose file runs it: no network, nothing written but vault, home and /tmp."""
    for name in ("vault", "home"):
        (folder / name).mkdir()
        (folder / name).chmod(0o777)
    mounted = ("--volume", f"{folder}/vault:/vault", "--volume", f"{folder}/home:/home/mnemic")
    bounded = ("--network", "none", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL")
    sample = ("--volume", f"{SAMPLE}:{SAMPLE}:ro")

    def run(*arguments: str) -> str:
        command = [engine, "run", "--rm", *mounted, *bounded, *sample, TAG, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


def _by_script(folder: Path) -> Run:
    """The build stage in `folder`, and its mnemic with the environment of the last stage."""
    said = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    build, last = re.split(r"^FROM .*$", said, flags=re.MULTILINE)[1:]
    source, home, installed = folder / "src", folder / "home", folder / "opt"
    source.mkdir()
    home.mkdir()
    for instruction, told in re.findall(r"^(COPY|RUN) (.*)$", build, re.MULTILINE):
        if instruction == "COPY":
            *copied, goal = shlex.split(told)
            _copy(copied, source / goal)
        else:
            command = told.replace(INSTALLED, str(installed))
            command = command.replace("--no-cache-dir ", "")  # a layer has no use for pip's cache; this has
            command = command.replace("python -m venv", f"{shlex.quote(sys.executable)} -m venv", 1)
            bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            subprocess.run(["sh", "-ec", command], cwd=source, env=bare, check=True)
    environment = {"HOME": str(home), "PATH": f"{installed}/bin:{os.environ['PATH']}"}
    for variable in shlex.split(" ".join(re.findall(r"^ENV (.*)$", last, re.MULTILINE))):
        name, _, value = variable.partition("=")
        if name not in environment:
            environment[name] = value.replace("/home/mnemic", str(home)).replace(
                "/vault", str(folder / "vault")
            )

    def run(*arguments: str) -> str:
        command = [str(installed / "bin" / "mnemic"), *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout

    return run


def _copy(names: list[str], goal: Path) -> None:
    """What COPY does: a folder's content into the goal, files into it."""
    for origin in (found for name in names for found in sorted(ROOT.glob(name))):
        if origin.is_dir():
            shutil.copytree(origin, goal, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        else:
            goal.mkdir(parents=True, exist_ok=True)
            shutil.copy2(origin, goal)


if __name__ == "__main__":
    main()
