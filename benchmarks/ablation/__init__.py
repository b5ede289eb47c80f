"""What each part of chunking and retrieval brings: the same suite with and without it."""
