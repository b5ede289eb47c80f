"""The settings there are, typed. A new one is a field here; its name in capitals is its variable."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

SECRETS = frozenset(
    {
        "anthropic_api_key",
        "openai_api_key",
        "ollama_api_key",
        "qdrant_api_key",
        "mnemic_mcp_token",
        "brave_api_key",
    }
)


class FiledSettings(BaseModel):
    """What a file may say. None: not said."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    mnemic_vault: Path | None = None
    """Folder of the vault; this platform's data folder where nothing is said."""
    mnemic_cache: Path | None = None
    """Folder for what is derived from the weights; this platform's cache folder where nothing is said."""
    mnemic_max_ratio: float | None = None
    """Times its packed size that a zip's member may unfold to (`mnemic ingest --max-ratio`)."""
    mnemic_max_gigabytes: float | None = None
    """Gigabytes that an archive may unfold to (`--max-gigabytes`)."""
    mnemic_max_members: int | None = None
    """Members that a zip may have (`--max-members`)."""
    mnemic_max_nesting: int | None = None
    """How deep zips inside zips are looked into (`--max-nesting`)."""
    mnemic_engine: str | None = None
    """What extracts: `offline`, which is what happens where nothing is said, or a provider of language
    models: `anthropic`, `ollama` or `openai`."""
    mnemic_model: str | None = None
    """Which language model (`--model`)."""
    mnemic_context: PositiveInt | None = None
    """Tokens that a model of one's own takes in and out at once (`--context`)."""
    mnemic_timeout: PositiveFloat | None = None
    """Seconds that one request to a language model may take (`--timeout`)."""
    mnemic_pack: bool | None = None
    """Whether several short questions go to a language model in one request (`--pack`, `--no-pack`)."""
    mnemic_model_reads: str | None = None
    """Whose sentences a language model makes notes of (`--model-reads`): `all`, or `owner`, which is all but
    the assistant's."""
    mnemic_file_by: str | None = None
    """Who files notes under paths (`--file-by`): `reader`, which is by labelled examples, or `model`, the
    engine's language model, which then says it with the notes."""
    mnemic_proofread: bool | None = None
    """Whether a language model reads what it wrote a second time, beside the conversation (`--proofread`)."""
    mnemic_kept_generations: PositiveInt | None = None
    """Generations that stay, the published one among them; 3 where nothing is said."""
    mnemic_provenance_modifiers: bool | None = None
    """Whether a kept note weighs 0.9 where an assistant or a source said it first. Off where nothing is said:
    what the owner kept has full weight."""
    mnemic_deep_search_enabled: bool | None = None
    """Whether recall looks further where its confidence is too small (`--deep`); no where nothing is said."""
    mnemic_deep_search_threshold: float | None = None
    """Confidence strictly below which it does (`--deep-threshold`)."""
    mnemic_deep_search_mode: str | None = None
    """`on`, `off`, or `shadow`: it looks further for the log alone, and changes nothing (`--deep-mode`)."""
    mnemic_web_enabled: bool | None = None
    """Whether the live web may be asked (`mnemic recall --web`); no where nothing is said, and then nothing
    asks it."""
    mnemic_web_provider: str | None = None
    """Who searches it: `searxng`, `brave`, or `file`."""
    mnemic_web_searxng: str | None = None
    """Where a SearXNG answers, such as `http://127.0.0.1:8888`."""
    mnemic_web_results: Path | None = None
    """The file of results of the provider `file`."""
    mnemic_web_sources: Path | None = None
    """Your own lists of sites that are trusted or not wanted, and of their owners; laid over the shipped."""
    mnemic_web_browser: bool | None = None
    """Whether pages that need it are opened in a headless Chromium; yes where nothing is said."""
    brave_api_key: SecretStr | None = None
    """The key of Brave Search. A key alone sends nothing."""
    anthropic_base_url: str | None = None
    """Where a model of `--engine anthropic` answers; the public service where nothing is said."""
    anthropic_api_key: SecretStr | None = None
    """Its key. A key alone sends nothing: `--engine anthropic` or `--gate model` does."""
    ollama_host: str | None = None
    """Where Ollama answers; this machine's port 11434 where nothing is said."""
    ollama_api_key: SecretStr | None = None
    """Its key, where a server asks for one; on this machine none does."""
    openai_base_url: str | None = None
    """Where a model of `--engine openai` answers, such as `http://127.0.0.1:1234/v1`; the public service
    where nothing is said."""
    openai_api_key: SecretStr | None = None
    """Its key; none is needed on this machine."""
    qdrant_url: str | None = None
    """Where `mnemic index push` goes."""
    qdrant_api_key: SecretStr | None = None
    """Its key."""
    qdrant_collection: str | None = None
    """Collection on the server; `mnemic` where nothing is said."""
    qdrant_on_disk: bool | None = None
    """Whether new vectors lie on the server's disk; yes where nothing is said."""
    qdrant_quantised: bool | None = None
    """Whether the server keeps an int8 copy of new vectors in memory; no where nothing is said."""
    mnemic_mcp_token: SecretStr | None = None
    """What clients of `mnemic mcp` over HTTP must say."""

    def plain(self, name: str) -> str | None:
        """A setting as text, secrets in clear."""
        value = getattr(self, name)
        if value is None:
            return None
        return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


class KnownSettings(FiledSettings, BaseSettings):
    """What the environment says."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_ignore_empty=True)
