"""Which provider a name means, with the address, key and habits that go with it.

A new provider is a module of its own and one line in `_PROVIDERS`. Nothing heavy is imported before that.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inference.language_model import DEFAULT_MODEL, ProviderName
from inference.pacing import Pace
from inference.packed_sender import PackingProvider
from inference.provider import Provider
from inference.stored_model import StoredModel
from schemas.deferred import deferred
from schemas.errors import UsageError

if TYPE_CHECKING:
    from inference import anthropic_model, batches, chat, ollama, openai_chat, recordings
    from inference import service as inference_service
else:
    recordings = deferred("inference.recordings")
    anthropic_model = deferred("inference.anthropic_model")
    batches = deferred("inference.batches")
    inference_service = deferred("inference.service")
    chat = deferred("inference.chat")
    ollama = deferred("inference.ollama")
    openai_chat = deferred("inference.openai_chat")


DEFAULT_OLLAMA, DEFAULT_OPENAI = "http://127.0.0.1:11434", "https://api.openai.com/v1"
_OLLAMA_PORT = 11434


@dataclass(frozen=True, slots=True)
class Asked:
    """What the owner said of a model; None: not said, and the provider's own habit holds."""

    provider: ProviderName = "anthropic"
    model: str | None = None
    base_url: str | None = None
    price: tuple[float, float] | None = None
    """(input, output) in dollars per million tokens."""
    max_usd: float | None = None
    concurrency: int | None = None
    context: int | None = None
    """Tokens that the model takes in and out at once."""
    timeout: float | None = None
    """Seconds for one request."""
    batch: bool = False
    poll_seconds: float = 20.0
    wait_minutes: float = 0.0
    record: Path | None = None
    """Folder that questions are written down in with their answers."""
    replay: Path | None = None
    """Folder that answers are taken from; nobody is asked."""
    pack: bool = True
    """Whether several short questions go in one request."""

    def paced(self, habit: Pace) -> Pace:
        """The provider's pace, with as many calls at once as was said."""
        return replace(habit, concurrency=self.concurrency or habit.concurrency)


def provider_of(asked: Asked) -> Provider:
    """The provider that was asked for; nothing is connected.

    Raises UsageError without a model or a price where one is needed, for a batch where there is none, and for
    an address that is none; and what `taped` raises.
    """
    if asked.provider != "anthropic":
        if asked.batch:
            raise UsageError(
                f"{asked.provider} takes no batches", remedy="Leave --batch out, or use --engine anthropic"
            )
        if not asked.model:
            raise UsageError(
                f"{asked.provider} has no model that stands for all",
                remedy="Name one with --model or MNEMIC_MODEL, such as qwen3:4b-instruct-2507",
            )
    provider = _PROVIDERS[asked.provider](asked)
    if asked.pack:
        provider = PackingProvider(provider)
    if not (asked.record or asked.replay):
        return provider

    return recordings.taped(provider, asked.record, asked.replay)


def open_model(asked: Asked, folder: Path) -> StoredModel:
    """The model, opened, its answers stored in `folder`; close it, or use it as a context manager.

    Raises what `provider_of` raises, and ServiceRefused where no key can be found.
    """
    return StoredModel(provider_of(asked), folder, asked.max_usd)


def _anthropic(asked: Asked) -> Provider:
    service = inference_service.Service(asked.model or DEFAULT_MODEL, asked.base_url)
    if asked.timeout is not None:
        service = replace(service, timeout=asked.timeout)
    return anthropic_model.AnthropicProvider(
        anthropic_model.ModelOptions(
            service,
            mode="batch" if asked.batch else "messages",
            max_usd=asked.max_usd,
            stated_price=asked.price,
            pace=asked.paced(Pace()),
            patience=batches.Patience(asked.poll_seconds, 60.0 * asked.wait_minutes),
        )
    )


def _ollama(asked: Asked) -> Provider:
    return ollama.OllamaProvider(
        ollama.OllamaOptions(
            asked.model or "",
            _address(asked.base_url or _ollama_host()).removesuffix("/api").removesuffix("/v1"),
            os.environ.get("OLLAMA_API_KEY") or None,
            context=asked.context or chat.LOCAL_CONTEXT,
            timeout=asked.timeout or ollama.TIMEOUT,
            pace=asked.paced(ollama.PACE),
            stated_price=asked.price,
        )
    )


def _openai(asked: Asked) -> Provider:
    url = _address(asked.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_OPENAI)
    url = url.removesuffix("/chat/completions")
    if not urlsplit(url).path:
        url += "/v1"
    local = chat.is_local(url)
    return openai_chat.OpenAIProvider(
        openai_chat.OpenAIOptions(
            asked.model or "",
            url,
            os.environ.get("OPENAI_API_KEY") or None,
            context=asked.context or (chat.LOCAL_CONTEXT if local else None),
            timeout=asked.timeout or (openai_chat.LOCAL_TIMEOUT if local else openai_chat.TIMEOUT),
            pace=asked.paced(openai_chat.LOCAL_PACE if local else openai_chat.PACE),
            stated_price=asked.price,
        )
    )


_PROVIDERS: dict[ProviderName, Callable[[Asked], Provider]] = {
    "anthropic": _anthropic,
    "ollama": _ollama,
    "openai": _openai,
}


def _ollama_host() -> str:
    """`OLLAMA_HOST` as Ollama itself reads it: without a scheme it is http, without a port 11434."""
    said = os.environ.get("OLLAMA_HOST")
    if not said:
        return DEFAULT_OLLAMA
    if "://" in said:
        return said
    parts = urlsplit(f"http://{said}")
    # an address to listen on is none to ask
    host = "127.0.0.1" if parts.hostname in (None, "0.0.0.0", "::") else parts.hostname
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{parts.port or _OLLAMA_PORT}"


def _address(url: str) -> str:
    """The address without a slash at its end. Raises UsageError where it is none."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            "the address of a language model is none",
            where=url,
            remedy="It begins with http:// or https://, such as http://127.0.0.1:1234/v1",
        )
    return url.rstrip("/")
