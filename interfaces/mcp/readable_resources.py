"""What an assistant's user can attach or begin with: threads and summaries as resources, and prompts."""

from __future__ import annotations

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.prompts import Prompt

from chunking import estimate_tokens
from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import one_id, one_thread
from interfaces.mcp.open_memory import Memory
from retrieval import QUOTED
from schemas.errors import MnemicError
from schemas.ids import summary_id
from vault.queries import Row, resolve_ids, summary_in_full
from vault.reader import VaultReader
from vault.threads import list_threads, thread_in_full

MOST_TOKENS = 4_000
"""Of one resource; what is longer is cut at the end of a line, and says so."""
MOST_THREADS = 100


def offer_resources(server: MCPServer, memory: Memory) -> None:
    """Add the resources to a server: the list of threads, the map of one, the summary of a conversation."""

    @server.resource("mnemic://threads", title="Threads", mime_type="text/markdown")
    def threads() -> str:
        """The lines of thinking that went on over several conversations."""
        with memory.now() as reader:
            found: list[Row] = masked_throughout(list_threads(reader.ledger, memory.account))
        lines = [
            f"- [{one['label']}](mnemic://thread/{one['id']}): {one['sessions']} conversations"
            for one in found[:MOST_THREADS]
        ]
        return _told("\n".join(["# Threads", "", *lines]) if lines else "There is no thread yet.")

    @server.resource("mnemic://thread/{named}", title="Thread map", mime_type="text/markdown")
    def thread(named: str) -> str:
        """A thread's goal, turns, decisions in force, and open ends."""
        try:
            with memory.now() as reader:
                identity = one_thread(reader, named, memory.account)
                record: Row = masked_throughout(thread_in_full(reader.ledger, identity))
        except MnemicError as error:
            raise ResourceError(str(error)) from error
        made = record["map"]
        return _told(str(made["text"]) if isinstance(made, dict) else "This thread has no map yet.")

    @server.resource("mnemic://summary/{named}", title="Conversation summary", mime_type="text/markdown")
    def summary(named: str) -> str:
        """What a conversation came to, in its own sentences. It is named by its id or the summary's."""
        try:
            with memory.now() as reader:
                whole = _summary_of(reader, memory, named)
                record: Row = masked_throughout(summary_in_full(reader.ledger, whole))
        except MnemicError as error:
            raise ResourceError(str(error)) from error
        return _told(str(record["text"]))


def offer_prompts(server: MCPServer) -> None:
    """Add the prompts to a server: ways to begin that use the memory as it is meant."""
    for begin, title in (
        (what_is_known, "What do you know about …?"),
        (catch_up, "Where did we leave off?"),
        (open_ends, "Review my open ends"),
    ):
        server.add_prompt(Prompt.from_function(begin, title=title))


def what_is_known(subject: str) -> str:
    """Everything that the memory holds on a subject, with where it was said."""
    return (
        f"What do you know about {subject}? Ask mnemic's `recall` and `search_decisions`, go on with"
        " `recall_more` while something is missing, and tell me what I said, what I decided and what I left"
        " open, each with its date. Tell apart what I said from what an assistant proposed. If the memory"
        " holds nothing on it, say so."
    )


def catch_up(subject: str) -> str:
    """The state of a matter that went on over several conversations."""
    return (
        f"Where did we leave off with {subject}? Find its thread with mnemic's `search_threads`, read it with"
        " `get`, and tell me the goal, what is decided and in force, what was given up and why, and what is"
        " still open. Ask me about the open ends one by one."
    )


def open_ends() -> str:
    """Open questions and next steps, one by one."""
    return (
        "Go through what I left open: ask mnemic's `recent` for open questions and action items, group them"
        " by subject, and ask me of each whether it is done, answered or still open. Close what I call done,"
        " if you have the tool `close`."
    )


def _summary_of(reader: VaultReader, memory: Memory, named: str) -> str:
    """The id of the summary that was named by its own id or its conversation's. Raises UnknownId."""
    found = resolve_ids(reader.ledger, "conversations", "conversation_id", named, memory.account)
    if len(found) == 1:
        named = summary_id(found[0])
    return one_id(reader, "session_summaries", "id", named, memory.account)


def _told(text: str) -> str:
    """The text marked as quoted, cut to MOST_TOKENS at the end of a line."""
    lines = [QUOTED, "", *text.splitlines()]
    whole = len(lines)
    while lines and estimate_tokens("\n".join(lines)) > MOST_TOKENS:
        lines = lines[: -max(1, len(lines) // 20)]
    return "\n".join([*lines, "", "[cut: `get` with its id shows it]"] if len(lines) < whole else lines)
