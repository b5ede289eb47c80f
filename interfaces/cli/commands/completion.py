"""`mnemic completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from interfaces.cli.terminal import say

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print what makes SHELL complete commands and options of mnemic.

    \b
    Examples:
      mnemic completion bash >> ~/.bashrc
      mnemic completion zsh >> ~/.zshrc
      mnemic completion fish > ~/.config/fish/completions/mnemic.fish
    """
    root = click.get_current_context().find_root().command
    made = get_completion_class(shell)
    assert made is not None  # the three that click brings
    say(made(root, {}, "mnemic", "_MNEMIC_COMPLETE").source())
