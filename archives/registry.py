"""Every format, in the order of detection: the first whose structure fits a file has it.

A new format is one module under `archives/formats/` and one line here.
"""

from __future__ import annotations

from archives.contract import Format
from archives.documents import DOCUMENT
from archives.formats.agent_events import DROID, OPENCLAW, PI
from archives.formats.aistudio import FORMAT as AISTUDIO
from archives.formats.amp import FORMAT as AMP
from archives.formats.antigravity import FORMAT as ANTIGRAVITY
from archives.formats.character_ai import FORMAT as CHARACTER_AI
from archives.formats.chat_datasets import OPENAI_MESSAGES, SHAREGPT
from archives.formats.chatgpt import FORMAT as CHATGPT
from archives.formats.cherry_studio import FORMAT as CHERRY_STUDIO
from archives.formats.claude_ai import FORMAT as CLAUDE_AI
from archives.formats.claude_code import FORMAT as CLAUDE_CODE
from archives.formats.cline import FORMAT as CLINE
from archives.formats.codex import FORMAT as CODEX
from archives.formats.copilot_cli import FORMAT as COPILOT_CLI
from archives.formats.copilot_csv import FORMAT as COPILOT
from archives.formats.cursor import FORMAT as CURSOR
from archives.formats.deepseek import FORMAT as DEEPSEEK
from archives.formats.discord import FORMAT as DISCORD
from archives.formats.gemini_cli import FORMAT as GEMINI_CLI
from archives.formats.gemini_takeout import FORMAT as GEMINI_TAKEOUT
from archives.formats.goose import FORMAT as GOOSE
from archives.formats.grok import FORMAT as GROK
from archives.formats.grok_cli import FORMAT as GROK_CLI
from archives.formats.imessage import FORMAT as IMESSAGE
from archives.formats.jan import FORMAT as JAN
from archives.formats.kimi import FORMAT as KIMI
from archives.formats.kiro import FORMAT as KIRO
from archives.formats.lechat import FORMAT as LECHAT
from archives.formats.librechat import FORMAT as LIBRECHAT
from archives.formats.lmstudio import FORMAT as LMSTUDIO
from archives.formats.lobechat import FORMAT as LOBECHAT
from archives.formats.markdown_chat import AIDER, MARKDOWN
from archives.formats.messenger_e2e import FORMAT as MESSENGER_E2E
from archives.formats.meta_ai import FORMAT as META_AI
from archives.formats.meta_chats import INSTAGRAM, MESSENGER
from archives.formats.opencode import FORMAT as OPENCODE
from archives.formats.openwebui import FORMAT as OPENWEBUI
from archives.formats.perplexity import FORMAT as PERPLEXITY
from archives.formats.phone_texts import SIGNAL, WHATSAPP
from archives.formats.qwen_code import FORMAT as QWEN_CODE
from archives.formats.sillytavern import FORMAT as SILLYTAVERN
from archives.formats.slack import FORMAT as SLACK
from archives.formats.telegram import FORMAT as TELEGRAM
from archives.formats.transcript import FORMAT as TRANSCRIPT
from archives.formats.typingmind import FORMAT as TYPINGMIND
from archives.formats.vscode_chat import FORMAT as VSCODE_CHAT
from archives.formats.zed import FORMAT as ZED
from archives.glimpse import Glimpse, Kind

FORMATS: tuple[Format, ...] = (
    AISTUDIO,
    GROK,
    DEEPSEEK,  # before ChatGPT: its tree looks alike and says inserted_at
    CHATGPT,
    CLAUDE_AI,
    LIBRECHAT,
    VSCODE_CHAT,
    PERPLEXITY,
    LECHAT,
    GEMINI_CLI,
    GEMINI_TAKEOUT,
    OPENWEBUI,
    CLAUDE_CODE,
    CODEX,
    COPILOT_CLI,
    QWEN_CODE,
    GROK_CLI,
    KIMI,
    ANTIGRAVITY,
    GOOSE,
    KIRO,
    ZED,
    CURSOR,
    DROID,
    OPENCLAW,
    PI,
    TRANSCRIPT,
    LMSTUDIO,
    OPENCODE,
    AMP,
    JAN,
    TYPINGMIND,
    LOBECHAT,
    CHERRY_STUDIO,
    SILLYTAVERN,
    CHARACTER_AI,
    COPILOT,
    SLACK,
    DISCORD,
    TELEGRAM,
    MESSENGER_E2E,
    MESSENGER,
    INSTAGRAM,
    META_AI,  # after Instagram: its download holds both
    IMESSAGE,
    SIGNAL,
    WHATSAPP,
    AIDER,
    MARKDOWN,
    CLINE,
    SHAREGPT,
    OPENAI_MESSAGES,  # the least particular shape
    DOCUMENT,
)


def format_of(seen: Glimpse) -> Format | None:
    """The format that claims a file with this beginning."""
    return next((format for format in FORMATS if format.claims(seen)), None)


def plausible(record: object) -> bool:
    """Whether some format knows a record like this one: how reading finds its way after corruption."""
    return isinstance(record, dict) and format_of(Glimpse(Kind.LIST, (record,))) is not None
