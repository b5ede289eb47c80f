"""Make the shipped weights again: `make train`, ten hours or more on two cores (`docs/reading.md` has how
that is reckoned), some minutes where JAX finds an accelerator.

The reader is taught without HELD: what `docs/reading.md` says of it was measured on these sources, and its
chances are calibrated on judged notes of them and of other talk that it was not taught.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.train import judge_of_pairs, judge_of_relevance, likeness_training, reader_training
from curation.pairs import small_judge
from extract.reader import small_reader
from retrieval.rank import relevance_judge

HELD = ("plain-b", "steered-b", "terse-b", "realmem-turns-d", "realmem-turns-g", "fresh-b")


def main() -> None:
    """Train the reader and both judges, and write them."""
    held = [word for source in HELD for word in ("--hold", source)]
    reader_training.main([*held, "--save", str(Path("extract/reader/weights") / small_reader.WEIGHTS)])
    likeness_training.main()
    held = [word for source in judge_of_pairs.BOUNDS_FROM for word in ("--hold", source)]
    judge_of_pairs.main([*held, "--save", str(Path("curation/pairs/weights") / small_judge.WEIGHTS)])
    judge_of_relevance.main(["--save", str(Path("retrieval/rank/weights") / relevance_judge.WEIGHTS)])


if __name__ == "__main__":
    main()
