"""How mnemic is used: the command line; later an assistant (MCP) and a review page."""
