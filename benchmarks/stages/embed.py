"""Embedding: mnemic's embedder beside onnxruntime alone, the same graph on batches as they come."""

from __future__ import annotations

import numpy as np
from tokenizers import Tokenizer

from archives import open_archive
from benchmarks.stages import Contenders, Figures, Setting, Work
from extract.offline_engine import extract_units
from inference import load_embedder
from inference.minilm import MAX_TOKENS
from inference.runtime import onnxruntime
from inference.weights import GRAPH_FILE, cache_folder, find_weights

TEXTS, BATCH = 800, 32
"""Batches of 32 in the order of the texts are what sentence-transformers' users write by default."""


def _texts(setting: Setting) -> list[str]:
    """Notes and messages as they come: short ones and long ones."""
    found: list[str] = []
    with open_archive(setting.archive) as archive:
        for conversation in archive.conversations():
            found += [unit.text for unit in extract_units(conversation).units]
            found += [message.text for message in conversation.active_messages()]
            if len(found) >= TEXTS:
                break
    return found[:TEXTS]


def mnemic(setting: Setting) -> Work:
    """Sorted by length, equal texts once."""
    texts, embedder = _texts(setting), load_embedder()
    embedder.embed(texts[:BATCH])
    return lambda: {"texts": len(embedder.embed(texts))}


def alone(setting: Setting) -> Work:
    """The graph and the tokenizer, and nothing else."""
    texts, files = _texts(setting), find_weights()
    load_embedder()  # writes the graph, where it is not there yet
    graph = next(cache_folder().rglob(GRAPH_FILE))
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])

    def work() -> Figures:
        for start in range(0, len(texts), BATCH):
            encoded = tokenizer.encode_batch(texts[start : start + BATCH])
            ids = np.array([one.ids for one in encoded], np.int32)
            mask = np.array([one.attention_mask for one in encoded], np.int32)
            session.run(["vector"], {"ids": ids, "mask": mask})
        return {"texts": len(texts)}

    return work


CONTENDERS: Contenders = {"mnemic": mnemic, "onnxruntime alone": alone}
