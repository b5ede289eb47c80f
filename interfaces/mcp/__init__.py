"""The memory as an MCP server: `mcp_server.make_server` over `open_memory.Memory`."""
