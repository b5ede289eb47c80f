"""The errors of mnemic, drawn.

    MnemicError
    ├── InputError                what the owner handed over is bad: carry on with the rest
    │   ├── UnrecognisedArchive   no reader claims it
    │   ├── DamagedArchive        it breaks off or contradicts itself; what was readable is kept
    │   └── HostileArchive        it tries to harm the machine (zip slip, bomb, symlink)
    ├── UsageError                the command or call is wrong: nothing was done
    │   ├── PathMissing
    │   ├── UnknownId
    │   └── AccountNeeded         the vault holds several accounts and none was named
    ├── MachineError              this machine lacks something: mend it and run again
    │   ├── EmbedderMissing       the weights are not installed
    │   ├── VaultLocked           another process is writing
    │   ├── VaultEmpty            nothing is published yet
    │   ├── VaultReadOnly         it may be read and not written to
    │   └── DiskFull
    ├── ServiceError              a language model's service did not do its part: what it answered is kept
    │   ├── ServiceRefused        no call can succeed: key, permission, credit, or an unknown model
    │   ├── ServiceUnavailable    it cannot be reached, or answers nothing but errors
    │   └── Unanswered            some questions have no answer yet, and a later run goes on from there
    │       ├── BudgetReached     the next call could cost more than the run may spend
    │       └── BatchPending      a batch has not ended
    └── DefectError               our own fault: please report
        └── IntegrityError        ledger and index disagree; publishing is refused

Every error carries what happened, where, why, and the remedy; `str(error)` is one line a person can act on.
Exit codes follow the branches: InputError 1 (3 when part of the work was done), UsageError 2, the rest 1.
"""

from __future__ import annotations

from collections.abc import Collection


class MnemicError(Exception):
    """The root. `what` happened, `where` (file, record, byte), `why`, and the `remedy`."""

    def __init__(self, what: str, *, where: str = "", why: str = "", remedy: str = "") -> None:
        self.what, self.where, self.why, self.remedy = what, where, why, remedy
        super().__init__(what)

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        if self.why:
            line += f" ({self.why})"
        if self.remedy:
            line += f". {self.remedy}"
        return line


class InputError(MnemicError):
    """What the owner handed over is bad."""


class UnrecognisedArchive(InputError):
    """No reader claims the file or folder."""


class DamagedArchive(InputError):
    """The archive breaks off or contradicts itself."""


class HostileArchive(InputError):
    """The archive tries to harm the machine."""


class UsageError(MnemicError):
    """The command or call is wrong."""


class PathMissing(UsageError):
    """A named path does not exist."""


class UnknownId(UsageError):
    """No record has this id."""


class AccountNeeded(UsageError):
    """The vault holds several accounts and none was named."""


class MachineError(MnemicError):
    """This machine lacks something."""


class EmbedderMissing(MachineError):
    """The embedding weights are not installed."""


class VaultLocked(MachineError):
    """Another process is writing to the vault."""


class VaultReadOnly(MachineError):
    """The vault may be read and not written to."""


class VaultEmpty(MachineError):
    """Nothing is published yet."""


class DiskFull(MachineError):
    """There is not enough room to build the next generation."""


class ServiceError(MnemicError):
    """A language model's service did not do its part."""


class ServiceRefused(ServiceError):
    """No call to the service can succeed."""


class ServiceUnavailable(ServiceError):
    """The service cannot be reached, or answers nothing but errors."""


class Unanswered(ServiceError):
    """Questions without an answer as yet, by their names in the store of answers."""

    def __init__(
        self, what: str, *, unsent: Collection[str], under_way: Collection[str], why: str = "", remedy: str
    ) -> None:
        self.unsent, self.under_way = frozenset(unsent), frozenset(under_way)
        super().__init__(what, why=why, remedy=remedy)


class BudgetReached(Unanswered):
    """The next call could cost more than the run may spend."""


class BatchPending(Unanswered):
    """A batch has not ended."""


class DefectError(MnemicError):
    """A defect of mnemic itself."""


class IntegrityError(DefectError):
    """Ledger and index disagree."""
