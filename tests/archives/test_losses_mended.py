"""Text that readers once lost, each at the place and with the author that it has in the archive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from archive_databases import cursor_bubbles, cursor_items
from archive_reading import read_all, zipped
from lost_archives import (
    AT,
    MS,
    Lost,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    copilot_cli,
    discord,
    grok,
    lechat,
    messenger,
    openwebui,
    pi,
    segments,
    slack,
    takeout,
    telegram,
    vscode,
    written,
)

LOST = {
    # the ten defects
    "claude_code tool lines": Lost(
        "s.jsonl",
        claude_code(
            {"type": "tool_result", "message": {"content": "4 files"}},
            {"type": "tool_result", "message": {"tool_output": "5 files"}},
            {"type": "tool_use", "message": {"name": "ls", "input": {"path": "/keel"}}},
            {"type": "system", "text": "Hook ran aground"},
            {"type": "system", "message": {"content": "Model was changed"}},
        ),
        ["tool_result: 4 files", "tool_result: 5 files", 'tool_call(ls): {"path": "/keel"}',
         "runtime_context(system): Hook ran aground", "runtime_context(system): Model was changed"],
    ),
    "claude_code slash command": Lost(
        "s.jsonl",
        claude_code({"type": "user", "message": {"role": "user", "content":
                    "<command-name>/plan</command-name><command-contents>I decide all.</command-contents>"}}),
        ["runtime_context(command-contents): <command-contents>I decide all.</command-contents>"],
    ),
    "perplexity title": Lost(
        "p.json",
        {"metadata": {"thread_id": "x", "thread_title": "Kites"}, "conversations": [{"query": "Wind?",
         "answer": "Four.", "sources": [{"title": "Wind", "url": "https://e.org", "snippet": "Blows"}]}]},
        ["tool_result(https://e.org): Wind\nBlows"],
        title="Kites",
    ),
    "slack bot attachments": Lost(
        "2026-01-05.json",
        slack(subtype="bot_message", username="ci", attachments=[
            {"pretext": "New commit", "title": "Keel", "title_link": "https://e.org/1", "text": "Fixed it",
             "fields": [{"title": "By", "value": "Ada"}]}]),
        ["attached(attachment): New commit\nKeel\nhttps://e.org/1\nFixed it\nBy: Ada"],
    ),
    "slack blocks alone": Lost(
        "2026-01-05.json",
        slack(user="U1", blocks=[{"type": "rich_text", "elements": [
            {"type": "rich_text_section", "elements": [
                {"type": "text", "text": "Lift the "}, {"type": "text", "text": "keel"}]}]}]),
        ["other: Lift the keel"],
    ),
    "slack unfurl": Lost(
        "2026-01-05.json",
        slack(user="U1", text="See <https://e.org>", attachments=[{"service_name": "Wiki", "title": "Keels",
              "from_url": "https://e.org", "text": "A beam."}]),
        ["other: See <https://e.org>\n\n", "attached(Wiki): Keels\nhttps://e.org\nA beam."],
    ),
    "codex calls without arguments": Lost(
        "r.jsonl",
        codex({"type": "function_call", "name": "list_sails", "arguments": ""},
              {"type": "function_call", "name": "count", "arguments": {}}),
        ["tool_call(list_sails): list_sails", "tool_call(count): {}"],
    ),
    "codex events of tools": Lost(
        "r.jsonl",
        codex({"type": "tool_call", "name": "rig", "arguments": {"sail": "jib"}}, kind="event_msg"),
        ['tool_call(rig): {"sail": "jib"}'],
    ),
    "claude_ai files twice": Lost(
        "conversations.json",
        claude_ai({"type": "text", "text": "Seen."}, files=[{"file_uuid": "f", "file_name": "hull.png"}],
                  files_v2=[{"file_uuid": "f", "file_name": "hull.png", "file_kind": "image"}]),
        attachments=["hull.png"],
    ),
    "pi session name": Lost(
        "s.jsonl", pi({"type": "session_info", "id": "n", "name": "Keel talk"}), title="Keel talk"
    ),
    # losses that were not told
    "claude_ai knowledge results": Lost(
        "conversations.json",
        claude_ai({"type": "tool_result", "name": "web", "content": [
            {"type": "knowledge", "title": "Keels", "url": "https://e.org/k", "text": "Long beams."}]}),
        ["tool_result(web): Keels\nhttps://e.org/k\nLong beams."],
    ),
    "chatgpt pictures of the interpreter": Lost(
        "conversations.json",
        chatgpt({"content_type": "execution_output", "text": "Plotted."}, "tool",
                aggregate_result={"messages": [{"message_type": "image", "image_url": "file-service://file-p"}]}),
        ["tool_result: Plotted."],
        ["file-p"],
    ),
    "chatgpt targeted reply": Lost(
        "conversations.json",
        chatgpt({"content_type": "text", "parts": ["Why that?"]}, "user", targeted_reply="Keels are heavy."),
        ["typed: Why that?\n\n", "attached(targeted reply): Keels are heavy."],
    ),
    "chatgpt DALL-E prompt": Lost(
        "conversations.json",
        chatgpt({"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer",
                 "asset_pointer": "file-service://file-d", "metadata": {"dalle": {"prompt": "A red keel"}}}]},
                "tool"),
        ["tool_call(dalle): A red keel"],
        ["file-d"],
    ),
    "discord stickers": Lost(
        "d.json", discord(stickers=[{"id": "5", "name": "Ahoy", "sourceUrl": "https://e.org/s.png"}]),
        attachments=["Ahoy"],
    ),
    "discord forwarded message": Lost(
        "d.json", discord(forwardedMessage={"timestamp": AT, "content": "The keel broke.",
                                            "attachments": [{"fileName": "k.png"}]}),
        ["attached(forwarded): The keel broke."], ["k.png"],
    ),
    "discord poll": Lost(
        "d.json", discord(poll={"question": {"text": "Which sail?"}, "answers": [
            {"poll_media": {"text": "Jib"}}, {"poll_media": {"text": "Main"}}]}),
        ["other: Which sail?\n- Jib\n- Main"],
    ),
    "discord embeds": Lost(
        "d.json", discord(content="https://e.org", embeds=[{"title": "Keels", "url": "https://e.org",
                          "description": "Beams.", "fields": [{"name": "Wood", "value": "Oak"}]}]),
        ["attached(Keels): Keels\nhttps://e.org\nBeams.\nWood: Oak"],
    ),
    "messenger stickers and shares": Lost(
        "message_1.json",
        messenger(sticker={"uri": "messages/stickers_used/anchor.png"},
                  share={"link": "https://e.org/keel", "share_text": "On keels"}),
        ["attached(share): https://e.org/keel\nOn keels"], ["messages/stickers_used/anchor.png"],
    ),
    "telegram polls": Lost(
        "result.json", telegram(poll={"question": "Which sail?", "closed": False, "answers": [
            {"text": "Jib", "voters": 2}, {"text": "Main", "voters": 1}]}),
        ["other: Which sail?\n- Jib\n- Main"],
    ),
    "telegram contacts and places": Lost(
        "result.json", telegram(contact_information={"first_name": "Bo", "last_name": "Fin",
                                "phone_number": "+3585550100"}, place_name="Old quay", address="Pier 4",
                                location_information={"latitude": 60.1, "longitude": 24.9}),
        ["attached(contact): Bo Fin +3585550100\n\n", "attached(place): Old quay, Pier 4, 60.1, 24.9"],
    ),
    "telegram addresses of links": Lost(
        "result.json", telegram(text=["See ", {"type": "text_link", "text": "this", "href": "https://e.org/k"}]),
        ["other: See this\n\n", "attached(link): https://e.org/k"],
    ),
    "telegram forwarded words": Lost(
        "result.json", telegram(text="I sold the boat.", forwarded_from="Bo"),
        ["attached(forwarded from Bo): I sold the boat."],
    ),
    "whatsapp caption": Lost(
        "chat.txt", "20/01/26, 11:23 - Ada: IMG-1.jpg (file attached)\nThe new keel\n"
                    "21/01/26, 11:24 - Bo: Fine\n",
        ["other: The new keel"], ["IMG-1.jpg"],
    ),
    "takeout subtitles": Lost(
        "MyActivity.json",
        takeout(title="Prompted Why?", subtitles=[{"name": "Attached 1 file.", "url": "https://e.org/f"}]),
        ["runtime_context(https://e.org/f): Attached 1 file."],
    ),
    "takeout acts with a body": Lost(
        "MyActivity.json",
        takeout(title="Created Gemini Canvas titled Bells", safeHtmlItem=[{"html": "<p>Bells ring.</p>"}]),
        ["runtime_context(notice): Created Gemini Canvas titled Bells", "assistant: Bells ring."],
    ),
    "openwebui system prompt": Lost(
        "chat.json", openwebui({"system": "Be brief.", "params": {"system": "Be kind."}}),
        ["custom_instruction: Be brief.\n\nBe kind."],
    ),
    "openwebui uploads and sources": Lost(
        "chat.json",
        openwebui(files=[{"name": "keel.md", "file": {"data": {"content": "Keels are beams."}}}],
                  sources=[{"source": {"name": "wiki"}, "document": ["A keel."],
                            "metadata": [{"source": "https://e.org"}]}],
                  code_executions=[{"name": "calc", "code": "1+1",
                                    "result": {"output": "2!", "error": "none left"}}],
                  error={"content": "Model is down"}),
        ["attached(keel.md): Keels are beams.", "tool_result(wiki): https://e.org\nA keel.",
         "tool_call(calc): 1+1",
         "tool_result(calc): 2!\nnone left", "runtime_context(error): Model is down"],
        ["keel.md"],
    ),
    "lechat canvas and references": Lost(
        "chat-1.json", lechat(canvas=[{"title": "Plan", "content": "Lift the keel."}],
                              references=[{"title": "Keels", "url": "https://e.org/k"}]),
        ["tool_result(Plan): Lift the keel.", "tool_result(https://e.org/k): Keels"],
    ),
    "vscode terminal": Lost(
        "v.json",
        vscode(response=[{"kind": "toolInvocationSerialized", "toolId": "run", "pastTenseMessage": "Ran it",
                          "toolSpecificData": {"kind": "terminal", "commandLine": {"original": "make keel"},
                                               "terminalCommandOutput": {"text": "built"}}}],
               variableData={"variables": [{"kind": "paste", "name": "Pasted", "code": "x = 1"}]},
               result={"errorDetails": {"message": "Too long"}}),
        ["pasted(Pasted): x = 1", "tool_call(run): make keel", "tool_result(run): built",
         "runtime_context(error): Too long"],
    ),
    "copilot_cli tool errors": Lost(
        "events.jsonl", copilot_cli("tool.execution_complete", error={"message": "No such sail"}),
        ["tool_result: No such sail"],
    ),
    "copilot_cli compactions": Lost(
        "events.jsonl", copilot_cli("session.compaction_complete", summaryContent="We cut sails."),
        ["generated_summary: We cut sails."],
    ),
    "copilot_cli messages of the session": Lost(
        "events.jsonl", copilot_cli("session.error", message="Quota is gone"),
        ["runtime_context(error): Quota is gone"],
    ),
    "codex events with words": Lost(
        "r.jsonl",
        codex({"type": "exited_review_mode", "review_output": {"overall_explanation": "Sound.", "findings": [
                  {"title": "Leak", "body": "At the keel"}]}},
              {"type": "error", "message": "Rate limit"},
              {"type": "user_message", "message": "See", "local_images": ["/w/hull.png"]}, kind="event_msg"),
        ["runtime_context(exited_review_mode): Sound.\nLeak\nAt the keel",
         "runtime_context(error): Rate limit"],
        ["/w/hull.png"],
    ),
    "codex thread name": Lost(
        "r.jsonl",
        codex({"type": "user_message", "message": "Go"},
              {"type": "thread_name_updated", "thread_name": "Keels"}, kind="event_msg"),
        title="Keels",
    ),
    "pi shell and branch summaries": Lost(
        "s.jsonl",
        pi({"type": "message", "id": "b",
            "message": {"role": "bashExecution", "command": "ls", "output": "keel"}},
           {"type": "branch_summary", "id": "c", "summary": "We left it."}),
        ["tool_call(bash): ls\n\n", "tool_result(bash): keel", "generated_summary: We left it."],
    ),
    "grok results beside the words": Lost(
        "g.json", grok(projects=[{"name": "Boat", "custom_instructions": "Speak of keels."}],
                       tasks=[{"title": "Daily", "prompt": "Tell the tide."}]),
    ),
    "empty tool call of a block": Lost(
        "conversations.json",
        claude_ai({"type": "text", "text": "Wait."}, {"type": "tool_use", "name": "tide", "input": {}}),
        ["assistant: Wait.\n\n", "tool_call(tide): {}"],
    ),
    "transcript times in other letters": Lost(
        "t.jsonl",
        [{"id": "t", "createdAt": AT, "messages": [{"role": "user", "text": "Hi", "timestamp": AT}]}],
        ["typed: Hi"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOST)
def test_what_was_lost_is_kept(tmp_path: Path, name: str) -> None:
    lost = LOST[name]
    conversations, _, report, _ = read_all(written(tmp_path, lost))
    found = segments(conversations)
    assert [one for one in lost.segments if not any(two.strip() == one.strip() for two in found)] == [], found
    files = [file.name for one in conversations for message in one.messages for file in message.attachments]
    assert files == lost.attachments
    assert lost.title in (None, conversations[0].title)
    assert [note.reason for note in report.notes if note.kind == "unread"] == []


def test_times_under_other_names_are_read(tmp_path: Path) -> None:
    (conversation,), _, _, _ = read_all(written(tmp_path, LOST["transcript times in other letters"]))
    assert conversation.created_at is not None
    assert conversation.messages[0].created_at is not None


def test_claude_summaries_and_sources_are_kept(tmp_path: Path) -> None:
    data = claude_ai(
        {"type": "text", "text": "A beam.", "citations": [{"title": "Keel", "url": "https://e.org"}]}
    )
    data[0]["summary"] = "They spoke of keels."
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(data))
    (conversation,), (summary,), report, _ = read_all(path)
    assert summary.text == "They spoke of keels."
    assert "https://e.org" in conversation.messages[0].raw[0].json_text
    assert not [note for note in report.notes if note.kind == "unread"]


@pytest.mark.parametrize("name", ["projects.json", "memories.json"])
def test_claude_documents_alone_are_read(tmp_path: Path, name: str) -> None:
    data: dict[str, Any] = {
        "projects.json": {"uuid": "p", "name": "Boat", "description": "All on keels", "docs": [
            {"uuid": "d", "filename": "keel.md", "content": "Keels."}]},
        "memories.json": {"account_uuid": "a", "conversations_memory": "Likes keels."},
    }  # fmt: skip
    path = zipped(tmp_path / "data.zip", {name: json.dumps([data[name]]).encode()})
    conversations, resources, report, _ = read_all(path)
    assert conversations == []
    assert report.format == "claude_ai"
    assert {one.text for one in resources} == (
        {"Keels.", "All on keels"} if name == "projects.json" else {"Likes keels."}
    )


def test_grok_projects_and_tasks_are_documents(tmp_path: Path) -> None:
    _, resources, _, _ = read_all(written(tmp_path, LOST["grok results beside the words"]))
    assert [one.title for one in resources] == ["Grok project: Boat", "Grok task: Daily"]
    assert "Speak of keels." in resources[0].text


def test_cursor_older_chats_are_read(tmp_path: Path) -> None:
    conversations, _, report, _ = read_all(cursor_items(tmp_path / "state.vscdb"))
    assert [one.title for one in conversations] == ["Sails", "Prompts whose chats are gone"]
    assert [one.strip() for one in segments(conversations)] == [
        "typed: Cut the sail.", "attached(selection): jib = 9", "assistant: Cut.", "typed: Mend the jib.",
    ]  # fmt: skip
    assert not [note for note in report.notes if note.kind == "unread"]


def test_cursor_bubbles_beside_the_list_are_read(tmp_path: Path) -> None:
    conversations, _, report, _ = read_all(cursor_bubbles(tmp_path / "state.vscdb"))
    assert [one.strip() for one in segments(conversations)] == [
        "assistant: sail = 9", "attached(selection): boom = 2", "attached(rig.py): mast = 1",
        "typed: Nobody lists me.", "typed: My composer is gone.",
    ]  # fmt: skip
    assert [file.name for file in conversations[0].messages[0].attachments] == ["hull.png"]
    assert not [note for note in report.notes if note.kind == "unread"]


def test_opencode_subtasks_are_read(tmp_path: Path) -> None:
    for name, record in {
        "session/p/s.json": {"id": "s", "projectID": "p", "title": "Rig", "time": {"created": MS}},
        "message/s/m.json": {"id": "m", "sessionID": "s", "role": "user",
                             "error": {"name": "Aborted", "data": {"message": "It was stopped"}}},
        "part/m/a.json": {"id": "a", "messageID": "m", "type": "subtask", "prompt": "Mend the jib",
                          "description": "Sailmaking", "agent": "build"},
    }.items():  # fmt: skip
        path = tmp_path / "storage" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record))
    conversations, _, _, _ = read_all(tmp_path / "storage")
    assert [one.strip() for one in segments(conversations)] == [
        "unknown(task that an agent gave its subagent): Sailmaking\nMend the jib",
        "runtime_context(error): It was stopped",
    ]
