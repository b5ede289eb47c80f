"""Who picks paths: the embedder, offline, or a language model in one call."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from inference.embedder import Embedder
from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt
from inference.secrets import mask_secrets
from retrieval.by_path.drill import LISTED, Pick
from retrieval.rank.thresholds import SIMILARITY_FLOOR
from schemas.errors import ServiceError
from vault.path_queries import PathBranch

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "pick", 1)
NONE = "none"
"""What a model says where no path fits, in letters of any case, with whatever marks it sets around it."""
_MARKS = re.compile(r"^[\W_]+|[\W_]+$")

Members: TypeAlias = Callable[[Sequence[PathBranch]], Mapping[str, npt.NDArray[np.float32]]]
"""Branches to the vectors of some of the notes below each, (notes, dimension), by prefix."""

log = logging.getLogger(__name__)


class NearestPaths:
    """Picks by meaning: a path is as near as the nearest of its description, of the mean of its notes, and of
    one note there. What is no nearer than noise is not picked."""

    def __init__(self, embedder: Embedder, abouts: Mapping[str, str], members: Members) -> None:
        self._embedder = embedder
        self._members = members
        self._abouts = dict(zip(abouts, embedder.embed(list(abouts.values())), strict=True)) if abouts else {}

    def pick(self, question: str, choices: Sequence[PathBranch], most: int) -> Pick:
        """See `retrieval.by_path.drill.Picker`."""
        asked = self._embedder.embed_query(question)
        members = self._members(choices)
        near = {one.prefix: self._nearness(asked, one.prefix, members.get(one.prefix)) for one in choices}
        ranked = sorted(near, key=lambda path: (-near[path], path))
        return Pick(tuple(path for path in ranked[:most] if near[path] >= SIMILARITY_FLOOR))

    def _nearness(
        self, asked: npt.NDArray[np.float32], path: str, notes: npt.NDArray[np.float32] | None
    ) -> float:
        own = [asked @ about for known, about in self._abouts.items() if known == path]
        if notes is not None and len(notes):
            mean = notes.mean(axis=0)
            own += [asked @ mean / (np.linalg.norm(mean) or 1.0), (notes @ asked).max()]
        return round(float(max(own, default=0.0)), 4)


class PickAnswer(BaseModel):
    """The form of a model's pick."""

    paths: list[str]


class ModelPicks:
    """Picks by a language model, one call a pick. What it says is checked against the list."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def pick(self, question: str, choices: Sequence[PathBranch], most: int) -> Pick:
        """See `retrieval.by_path.drill.Picker`; a model that does not answer counts as garbage."""
        lines = [
            f"{one.prefix} ({one.keys} keys, {one.notes} notes): {' '.join(mask_secrets(one.sample).split())}"
            for one in choices[:LISTED]
        ]
        listing = fenced("paths", "\n".join(lines))
        text = f"{fenced('question', question)}\n\n{listing}\n\nPick at most {most}."
        asked = ModelQuestion(PROMPT, text, PickAnswer, expected_tokens=60, most_tokens=400)
        try:
            (reply,) = self._model.complete([asked])
        except ServiceError as error:
            log.warning("no pick, the paths with most keys are taken: %s", str(error).splitlines()[0])
            return Pick((), garbage=True, prompt=text)
        said = [one.strip() for one in reply.value.paths] if reply.value else ["?"]
        known = {one.prefix for one in choices}
        paths = tuple(dict.fromkeys(one for one in said if one in known))
        none = all(_MARKS.sub("", one).casefold() == NONE for one in said)
        return Pick(paths[:most], garbage=not paths and not none, prompt=text)
