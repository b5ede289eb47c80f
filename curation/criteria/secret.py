"""Secret: a note that holds a credential is masked and held back; its source stays as it is."""

from __future__ import annotations

from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from inference.secret_cover import form_in
from schemas.unit import Outcome


def secret(note: Ungated, _: GateSettings) -> Finding:
    """No password, key, token, PIN, card or account number, in the text or in the words it stands on."""
    for text in (note.unit.text, note.quote):
        if form := form_in(text):
            return Outcome.REJECT, f"it holds a secret ({form})"
    return PASSED
