"""MiniLM in the form in which Chroma loads it: peers run on the very same weights, without a download."""

from __future__ import annotations

import shutil
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from inference import load_embedder
from inference.weights import GRAPH_FILE, cache_folder, find_weights

PLACE = Path(".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx")
"""Below a home folder."""
UNREAD = ("config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt")
"""Files whose presence Chroma checks, and nothing else."""


def lay_out(home: Path) -> None:
    """Write the model below `home`, unless it lies there.

    mnemic's graph pools by itself; Chroma's takes the last layer and pools in numpy, so that layer is the
    output here, and the inputs have Chroma's names and width.
    """
    folder = home / PLACE
    if (folder / "model.onnx").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    load_embedder()  # writes mnemic's graph, where it is not there yet
    model = onnx.load(str(next(cache_folder().rglob(GRAPH_FILE))))
    graph = model.graph
    made = {node.output[0]: node for node in graph.node}
    squeezed = made[next(node for node in graph.node if node.output[0] == "vector").input[0]]
    pooled = made[squeezed.input[0]]
    shape = ["texts", "tokens"]
    names = {"ids": "input_ids", "mask": "attention_mask"}
    casts = [helper.make_node("Cast", [given], [ours], to=TensorProto.INT32) for ours, given in names.items()]
    kept = [node for node in graph.node if node.output[0] != "vector"]
    last = helper.make_node("Identity", [pooled.input[1]], ["last_hidden_state"])
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        for name in (*names.values(), "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, 384])
    whole = helper.make_graph([*casts, *kept, last], "minilm", inputs, [output], list(graph.initializer))
    changed = helper.make_model(whole, opset_imports=list(model.opset_import), ir_version=model.ir_version)
    onnx.save(changed, str(folder / "model.onnx"))
    shutil.copyfile(find_weights().tokenizer, folder / "tokenizer.json")
    for name in UNREAD:
        (folder / name).write_text("{}", encoding="utf-8")
