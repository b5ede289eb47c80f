"""One script a question; what a peer brings along reports as little as mnemic does."""

from schemas.library_settings import settle_libraries

settle_libraries()
