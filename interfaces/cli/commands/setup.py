"""`mnemic setup`."""

from __future__ import annotations

import click

from inference import load_embedder
from inference.setup import install_weights
from interfaces.cli.options import json_option
from interfaces.cli.terminal import print_json, say


@click.command("setup")
@json_option
def command(as_json: bool) -> None:
    """Install the embedding weights (84 MB, pinned by hash) and build their graph. Quick when already done.

    \b
    Examples:
      mnemic setup
    """
    install_weights()
    binding = load_embedder().binding
    if as_json:
        print_json(binding.model_dump())
    else:
        say(f"{binding.name}: ready ({binding.dimension} dimensions, weights {binding.weights_hash[:12]})")
