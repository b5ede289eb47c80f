"""How mnemic is used: the command line; later an assistant (MCP) and a review page."""

from schemas.library_settings import settle_libraries

settle_libraries()
