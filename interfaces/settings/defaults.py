"""What holds where no flag, environment or file says anything; taken from where it is used."""

from __future__ import annotations

from platformdirs import user_cache_path, user_data_path

from archives import Limits
from inference.chat import LOCAL_CONTEXT
from inference.language_model import DEFAULT_MODEL
from inference.openai_chat import LOCAL_TIMEOUT, TIMEOUT
from inference.provider_choice import DEFAULT_OLLAMA, DEFAULT_OPENAI
from inference.service import DEFAULT_SERVICE
from retrieval.deep.escalation import THRESHOLD, DeepMode
from vault.options import KEPT_GENERATIONS

LIMITS = Limits()

DEFAULTS: dict[str, str] = {
    "mnemic_vault": str(user_data_path("mnemic") / "vault"),
    "mnemic_cache": str(user_cache_path("mnemic")),
    "mnemic_max_ratio": f"{LIMITS.ratio:g}",
    "mnemic_max_gigabytes": f"{LIMITS.total_bytes / 1e9:.0f}",
    "mnemic_max_members": str(LIMITS.members),
    "mnemic_max_nesting": str(LIMITS.nesting),
    "mnemic_engine": "offline",
    "mnemic_model": f"{DEFAULT_MODEL} with anthropic",
    "mnemic_context": f"{LOCAL_CONTEXT} for a model of one's own",
    "mnemic_timeout": f"{LOCAL_TIMEOUT:.0f} for a model of one's own, else {TIMEOUT:.0f}",
    "mnemic_pack": str(True),
    "mnemic_model_reads": "all",
    "mnemic_file_by": "reader",
    "mnemic_proofread": str(False),
    "mnemic_kept_generations": str(KEPT_GENERATIONS),
    "mnemic_provenance_modifiers": str(False),
    "mnemic_deep_search_enabled": str(False),
    "mnemic_deep_search_threshold": str(THRESHOLD),
    "mnemic_deep_search_mode": DeepMode.ON.value,
    "mnemic_web_enabled": str(False),
    "mnemic_web_browser": str(True),
    "anthropic_base_url": DEFAULT_SERVICE,
    "ollama_host": DEFAULT_OLLAMA,
    "openai_base_url": DEFAULT_OPENAI,
    "qdrant_collection": "mnemic",
    "qdrant_on_disk": str(True),
    "qdrant_quantised": str(False),
}
"""Value by setting. A setting that is not here has none: keys, the token and the server's address."""
