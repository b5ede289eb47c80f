"""`mnemic chunk`."""

from __future__ import annotations

from pathlib import Path

import click

from chunking import chunk_markdown, estimate_tokens, tree_lines
from interfaces.cli.options import json_option
from interfaces.cli.terminal import print_json, say
from schemas.errors import DamagedArchive, PathMissing


@click.command("chunk")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--tree", "as_tree", is_flag=True, help="Show the tree of headings. This is the default.")
@json_option
def command(file: Path, as_tree: bool, as_json: bool) -> None:
    """Cut a Markdown FILE by its headings and show the chunks: sizes, flags, governing ideas.

    \b
    Examples:
      mnemic chunk notes.md
      mnemic chunk notes.md --json
    """
    if as_tree and as_json:
        raise click.UsageError("--tree and --json are two answers: ask for one")
    if not file.exists():
        raise PathMissing("no such file", where=str(file), remedy="Check the path")
    try:
        # newlines as they are: a chunk's span counts the file's own characters
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedArchive(
            "not UTF-8 text",
            where=f"{file}, byte {error.start}",
            why=error.reason,
            remedy="Convert it to UTF-8",
        ) from None
    chunks = chunk_markdown(text, title=file.stem)
    if as_json:
        print_json(
            {
                "file": str(file),
                "chunks": [{**one.model_dump(), "tokens": estimate_tokens(one.text)} for one in chunks],
            }
        )
        return
    for line in tree_lines(chunks):
        say(line)
