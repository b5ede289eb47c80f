"""A whole ingest of one person's archive: mnemic beside MemPalace, which files the talk and its vectors.

MemPalace is given a folder with a file a conversation, so that what it finds can be traced to one; both end
with something that can be asked, which the stage `recall` does.
"""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from importlib import import_module
from pathlib import Path

from benchmarks.stages import Contenders, Figures, Setting, Work
from benchmarks.stages.chroma_model import lay_out
from flows.ingest.steps import IngestRequest, ingest
from inference import load_embedder

VAULT, PALACE, TALKS = "vault", "palace", "talks"


def mnemic(setting: Setting) -> Work:
    """Notes, passages, summaries, threads, the gate; ledger and index, verified and published."""
    load_embedder()  # as the peer's model is in its place

    def work() -> Figures:
        summary = ingest(IngestRequest(setting.folder / VAULT, (setting.archive,)))
        return {"conversations": summary.rows["conversations"], "kept": summary.rows["units"]}

    return work


def mempalace(setting: Setting) -> Work:
    """Exchanges as drawers in Chroma, with MiniLM."""
    lay_out(Path.home())
    talks = setting.folder / TALKS
    talks.mkdir(exist_ok=True)
    with zipfile.ZipFile(setting.archive) as archive:
        for talk in json.loads(archive.read("conversations.json")):
            name = talk.get("conversation_id") or talk["id"]
            (talks / f"{name}.json").write_text(json.dumps(talk), encoding="utf-8")
    miner = import_module("mempalace.convo_miner")

    def work() -> Figures:
        with contextlib.redirect_stdout(io.StringIO()):
            miner.mine_convos(str(talks), str(setting.folder / PALACE))
        backend = import_module("chromadb").PersistentClient(str(setting.folder / PALACE))
        drawers = sum(one.count() for one in backend.list_collections())
        return {"conversations": len(list(talks.iterdir())), "kept": drawers}

    return work


CONTENDERS: Contenders = {"mnemic": mnemic, "MemPalace": mempalace}
