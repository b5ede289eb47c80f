"""onnxruntime, imported here and nowhere else: it sends usage events unless it was told not to before.

`inference/__init__.py` has told it by then, and it asks no second time: a program that imports it before
mnemic has to set `ORT_DISABLE_TELEMETRY=1` itself.
"""

from __future__ import annotations

import onnxruntime as onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors

UNREADABLE_GRAPH = (onnx_errors.InvalidProtobuf, onnx_errors.InvalidGraph, onnx_errors.Fail)
