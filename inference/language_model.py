"""What a language model is to the rest of mnemic: questions in, validated answers out.

    prompt + text + form -> Question -> LanguageModel.complete -> Reply (value, or why there is none)

A caller writes a prompt file, a pydantic model of the answer, and hands over as many questions as it has:
how they travel (one by one, or as a batch at half the price), what they cost and whether an earlier run paid
for the answer already is the model's business. Engine `offline` needs none of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Generic, Literal, Protocol, TypeVar, get_args

from pydantic import BaseModel

from schemas.base import Noun, sha256_text

A = TypeVar("A", bound=BaseModel)

ProviderName = Literal["anthropic", "ollama", "openai"]
PROVIDERS: tuple[ProviderName, ...] = get_args(ProviderName)
"""Whose models can be asked: the engines beside `offline`."""
DEFAULT_MODEL = "claude-haiku-5-5"
"""Anthropic's, small and cheap: extraction points at sentences, and code checks what it points at."""


class Prompt(Noun):
    """The fixed part of a question: rules and worked examples, the same in every call, so it can be cached.

    Archive text never goes in here.
    """

    name: str
    """Name and version, such as `units/1`. A changed text gets a new version."""
    text: str

    @cached_property
    def identity(self) -> str:
        """Name, version and the beginning of the text's hash: what work that used the prompt depends on."""
        return f"{self.name} {sha256_text(self.text)[:12]}"


def read_prompt(folder: Traversable, name: str, version: int) -> Prompt:
    """The prompt in `<name>-<version>.md` of a package's folder. The files ship in the wheel."""
    text = (folder / f"{name}-{version}.md").read_text(encoding="utf-8")
    return Prompt(name=f"{name}/{version}", text=text)


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[A]):
    """One call to make: a prompt, the text it is about, and the form of the answer."""

    prompt: Prompt
    text: str
    """What the question is about; archive text stands fenced in it (`inference.fence.fenced`).
    Secrets in it are masked by the model before it is sent, so every caller may hand over text as it is."""
    form: type[A]
    """Pydantic model of the answer. Use plain fields and lists: JSON Schema's limits and maps are not
    enforced by the service, only by the validation afterwards."""
    expected_tokens: int = 300
    """Tokens that the answer is likely to have: what the estimate counts with."""
    most_tokens: int = 1024
    """Tokens after which the answer is cut off: what the budget counts with."""
    packed_with: str = ""
    """Questions of one prompt with the same word here may travel in one request; "" travels alone. Callers
    give the account: what belongs to two never meets in a request. An answer's name does not depend on it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the service counted for one answer."""

    input_tokens: int = 0
    """Tokens of the prompt that were neither read from nor written to the service's cache."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply(Generic[A]):
    """The answer to one question, or why there is none."""

    value: A | None
    problem: str = ""
    """A short stable phrase: "refused", "cut off", "not the form asked for", "no answer: ..."."""
    key: str = ""
    """Hash of everything that was asked: names the answer in the response cache."""
    usd: float = 0.0
    """What this run paid for it: 0 where the answer was cached."""
    cached: bool = False
    """An earlier call paid for it."""
    usage: Usage = field(default_factory=Usage)
    unfit: bool = False
    """The question is longer than the model takes, and was not sent."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How much text one question may show a model, in estimated tokens of that text."""

    detail: int = 5_000
    """Where every sentence is worked on: inside what a small hosted model answers in full, and many turns of
    a chat, so that the prompt's share of the cost is small."""
    gist: int = 20_000
    """Where the text is only retold: far inside what a small hosted model reads at its plain price."""
    brief: bool = False
    """Asked by short prompts: a small model loses the rules of a long one."""
    owner_only: bool = False
    """Notes are asked for of what the owner and others said or pasted. What the assistant said is shown to
    understand that by; the offline engine reads it."""
    filing: str = ""
    """The paths that notes can be filed under, as a prompt lists them: answers then also say where notes
    belong. "": they do not."""
    proofread: bool = False
    """What it wrote is shown to it once more, with the text, to say what of it is false."""
    answers: int = 7_500
    """Where several questions travel in one request, how long its answers are likely to be together: as long
    as to one window of `detail`, which is what a model is trusted to answer in full, and in time."""


REACH = Reach()
"""Of a hosted model."""


class LanguageModel(Protocol):
    """Answers questions."""

    @property
    def name(self) -> str:
        """Engine and model, such as `anthropic claude-haiku-5-5`."""
        ...

    def complete(self, questions: Sequence[ModelQuestion[A]]) -> list[Reply[A]]:
        """One reply a question, in the order given.

        A question that the model would not or could not answer has a reply without a value: the caller
        falls back, and nothing of such a reply is ever stored as content.

        Raises BudgetReached before the first call that could pass the budget and BatchPending where a batch
        takes longer than one wants to wait, ServiceRefused where no call can succeed (key, permission,
        unknown model), and ServiceUnavailable where the service stays away; what was answered until then
        is in the cache.
        """
        ...
