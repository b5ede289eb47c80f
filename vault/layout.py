"""Where things lie in a vault's folder."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from schemas.errors import UsageError
from vault.readonly import require_writable

LEDGER_FILE, INDEX_FOLDER, MANIFEST_FILE = "ledger.duckdb", "index", "generation.json"
BRANCH_FILE = "branch.json"


def default_vault_folder() -> Path:
    """`MNEMIC_VAULT` if set, else this platform's place for a person's data."""
    named = os.environ.get("MNEMIC_VAULT")
    return Path(named).expanduser() if named else platform_vault_folder()


def platform_vault_folder() -> Path:
    """The vault of whoever named none, whatever the environment says."""
    return user_data_path("mnemic") / "vault"


@dataclass(frozen=True, slots=True)
class VaultLayout:
    """The folders and files of one vault."""

    root: Path

    @property
    def marker(self) -> Path:
        """Says that the folder is a vault."""
        return self.root / "mnemic.vault"

    @property
    def current(self) -> Path:
        """Names the published generation."""
        return self.root / "CURRENT"

    @property
    def generations(self) -> Path:
        """One folder a published generation."""
        return self.root / "generations"

    @property
    def building(self) -> Path:
        """The writer's private copy; worth nothing after a crash."""
        return self.root / "building"

    @property
    def spare(self) -> Path:
        """An old generation that nobody reads: the next one is made of it, writing only what differs."""
        return self.root / "spare"

    @property
    def lock(self) -> Path:
        """Held by the one writer."""
        return self.root / "writer.lock"

    @property
    def journal(self) -> Path:
        """The owner's acts."""
        return self.root / "journal.sqlite"

    @property
    def web(self) -> Path:
        """Pages of the web that were saved, and the log of what left the machine for it, of branches too."""
        return self._main_root / "web.sqlite"

    @property
    def sessions(self) -> Path:
        """What recalls of a session were asked and given; safe to lose."""
        return self.root / "sessions.sqlite"

    @property
    def deep_log(self) -> Path:
        """How often recall looked further, and what came of it; safe to lose."""
        return self.root / "deep_searches.sqlite"

    @property
    def scorer(self) -> Path:
        """How much each part of relevance counts, taught by this vault (`mnemic train scorer`)."""
        return self.root / "scorer.json"

    @property
    def exclusions(self) -> Path:
        """The owner's rules on what to leave out."""
        return self.root / "exclusions.json"

    @property
    def collected(self) -> Path:
        """What `mnemic collect` may read, and has read."""
        return self.root / "collected.json"

    @property
    def collecting(self) -> Path:
        """Copies of assistants' files while they are read; safe to lose."""
        return self.root / ".collecting.part"

    @property
    def gate(self) -> Path:
        """The owner's settings of the gate."""
        return self.root / "gate.json"

    @property
    def taught_reader(self) -> Path:
        """The offline engine's reader, taught by this vault (`mnemic train reader`)."""
        return self.root / "reader.safetensors"

    @property
    def taxonomy(self) -> Path:
        """The owner's own taxonomy of paths, where there is one."""
        return self.root / "taxonomy.yaml"

    @property
    def looks(self) -> Path:
        """When the files of which generation were last read whole; safe to lose."""
        return self.root / "looks.json"

    @property
    def staging(self) -> Path:
        """Finished batches that no generation holds yet."""
        return self.root / "staging"

    @property
    def inbox(self) -> Path:
        """Archives waiting for the nightly run."""
        return self.root / "inbox"

    @property
    def cache(self) -> Path:
        """What was paid for: a language model's answers, and the record of every call. A branch has no own:
        what was answered there need not be asked again when it is merged."""
        return self._main_root / "cache"

    @property
    def branches(self) -> Path:
        """Other lines of generations, one folder a branch (`vault/branches.py`)."""
        return self.root / "branches"

    @property
    def main_line(self) -> VaultLayout:
        """The vault itself, or the one that this is a branch of."""
        return VaultLayout(self._main_root)

    @property
    def _main_root(self) -> Path:
        """The vault itself, or the one that this is a branch of."""
        return self.root.parent.parent if self.is_branch else self.root

    @property
    def is_branch(self) -> bool:
        """Whether this is a branch of another vault."""
        return (self.root / BRANCH_FILE).exists()

    @property
    def processed(self) -> Path:
        """Archives that the nightly run imported."""
        return self.root / "processed"

    @property
    def reports(self) -> Path:
        """A page on every run."""
        return self.root / "reports"

    @property
    def quarantine(self) -> Path:
        """What could not be read, each with its reason."""
        return self.root / "quarantine"

    def generation(self, number: int) -> Path:
        """The folder of one published generation."""
        return self.generations / str(number)

    def create(self) -> None:
        """Make the folders, private to the owner. A folder that was there and becomes a vault is made private
        too; the mode of one that is a vault already is the owner's to choose.

        Raises UsageError where the folder holds something that is not a vault, VaultReadOnly.
        """
        if self.root.exists() and not self.root.is_dir():
            raise UsageError("the vault is not a folder", where=str(self.root), remedy="Name a folder")
        require_writable(self.root)
        # what a writer clears away must never be somebody else's
        if self.root.exists() and not self.marker.exists():
            own = (self.inbox, self.exclusions, self.gate, self.taxonomy, self.collected)
            foreign = {path.name for path in self.root.iterdir()} - {path.name for path in own}
            if foreign and not self.marker.exists():  # unless another writer has just begun
                raise UsageError(
                    "the folder is not a vault and not empty",
                    where=str(self.root),
                    why=f"it holds {', '.join(sorted(foreign)[:3])}",
                    remedy="Name a new folder, or an empty one",
                )
        becomes_a_vault = not self.marker.exists()
        self.root.mkdir(parents=True, exist_ok=True)
        if becomes_a_vault:  # before anything is in it
            with suppress(PermissionError):  # another's folder, such as a volume: `mnemic doctor` tells of it
                self.root.chmod(0o700)
        # first of all: a second writer that begins meanwhile must not take the folders for somebody else's
        self.create_folders()

    def create_folders(self) -> None:
        """Make the marker and the folders below a root that is there."""
        self.marker.touch()
        for folder in (self.generations, self.staging, self.inbox, self.processed, self.quarantine):
            folder.mkdir(parents=True, exist_ok=True)
