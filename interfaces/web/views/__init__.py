"""What the review page shows of notes: their excerpt, pairs of them, and the corpus in pictures."""
