"""How fast the embedder is, by size of batch, length of text and number of threads.

    python benchmarks/speed/embedding_speed.py TEXTS.txt [--threads 1 2] [--batch-tokens 512 1536 4096]

TEXTS is a file with one text a line, short notes and long passages as they come. Prints one JSON line a
setting: texts and tokens a second, and the process's peak memory so far in megabytes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from pathlib import Path

from inference import minilm


def main() -> None:
    """Measure every setting after one warm-up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--batch-tokens", type=int, nargs="+", default=[512, 1536, 4096])
    options = parser.parse_args()
    texts = list(dict.fromkeys(options.texts.read_text(encoding="utf-8").splitlines()))
    for threads in options.threads:
        embedder = minilm.load_minilm(threads)
        tokens = sum(min(embedder.count_tokens(text), embedder.max_tokens) for text in texts)
        embedder.embed(texts[:64])
        for size in options.batch_tokens:
            began = time.perf_counter()
            embedder.embed(texts, batch_tokens=size)
            seconds = time.perf_counter() - began
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                json.dumps(
                    {
                        "threads": threads,
                        "batch_tokens": size,
                        "texts": len(texts),
                        "texts_a_second": round(len(texts) / seconds),
                        "tokens_a_second": round(tokens / seconds),
                        "peak_mb": round(peak),
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
