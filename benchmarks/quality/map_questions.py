"""What a model is asked for the thread maps of a vault: the figures behind the estimate of `mnemic plan`.

    PYTHONPATH=. python benchmarks/quality/map_questions.py VAULT

Writes the question of every thread as a run would, asks nobody, and prints how many there are for the vault's
conversations, and the mean of their estimated tokens and of those that an answer is taken to have.
"""

from __future__ import annotations

import sys
from pathlib import Path

from extract.model.model_maps import map_question
from flows.generation.thread_linking import notes_on
from inference.prices import estimate_tokens
from vault.reader import open_vault
from vault.threads import threads_of


def main() -> None:
    """Print the counts and means."""
    with open_vault(Path(sys.argv[1])) as reader:
        ledger = reader.ledger
        threads = [thread for account in ledger.accounts() for thread in threads_of(ledger, account)]
        questions = [one for notes in notes_on(ledger, threads) if (one := map_question(notes))]
        ((conversations,),) = ledger.query("SELECT count(*) FROM conversations")
    asked = sum(estimate_tokens(one.text) for one in questions) / len(questions)
    expected = sum(one.expected_tokens for one in questions) / len(questions)
    share = len(questions) / int(str(conversations))
    print(
        f"{len(questions)} questions for {conversations} conversations ({share:.3f}), of {asked:,.0f} tokens"
    )
    print(f"on average; an answer is taken to have {expected:,.0f}")


if __name__ == "__main__":
    main()
