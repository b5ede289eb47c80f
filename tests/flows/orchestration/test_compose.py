"""What can be known of the compose file and the Dockerfile without starting them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from interfaces.main import cli

ROOT = Path(__file__).resolve().parents[3]
COMPOSE = ROOT / "deployments" / "compose.yaml"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]


def test_every_service_has_a_limit_and_waits_for_what_is_healthy() -> None:
    for name, service in SERVICES.items():
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}, name
        for other, how in service.get("depends_on", {}).items():
            needs_health = how["condition"] == "service_healthy"
            assert not needs_health or "healthcheck" in SERVICES[other], f"{name} waits for {other}"


def test_nothing_is_published_beyond_this_machine_and_nothing_of_ours_runs_as_root() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []
    for name in ("worker", "review"):
        assert SERVICES[name]["user"] == "10001:10001"
        assert SERVICES[name]["read_only"] is True
        assert SERVICES[name]["cap_drop"] == ["ALL"]


def test_volumes_and_variables_are_declared_and_images_have_versions() -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    declared = yaml.safe_load(text)["volumes"]
    mounted = {one.split(":")[0] for service in SERVICES.values() for one in service.get("volumes", [])}
    assert mounted == set(declared)
    example = (ROOT / "deployments" / "example.env").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) == set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    for service in SERVICES.values():
        assert re.search(r":(?!latest$)[\w.-]+$", service["image"])


def test_the_commands_are_commands_and_the_image_has_every_package() -> None:
    for name in ("worker", "review"):
        assert SERVICES[name]["command"][0] in cli.list_commands(None)  # type: ignore[arg-type]
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = said["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    copied = re.findall(
        r"^COPY (\w+) (\w+)$", (ROOT / "deployments" / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert copied == [(name, name) for name in packages]


def test_the_image_has_what_the_wheel_takes_from_elsewhere() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    taken = said["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    dockerfile = (ROOT / "deployments" / "Dockerfile").read_text(encoding="utf-8")
    globs = re.findall(r"^COPY (\S+) \w+/$", dockerfile, re.MULTILINE)
    copied = {found.relative_to(ROOT).as_posix() for glob in globs for found in ROOT.glob(glob)}
    assert set(taken) <= copied
