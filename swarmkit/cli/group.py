"""Groups of commands that all look the same."""

from __future__ import annotations

import typer


def new_group(help_text: str, epilog: str = "", *, help_without_command: bool = True) -> typer.Typer:
    """Return a group of commands with plain help and plain tracebacks.

    Args:
        help_text: what the commands are for.
        epilog: the last line of the help, for instance an example.
        help_without_command: whether the group alone, without a command, shows its help.
    """
    return typer.Typer(
        help=help_text,
        epilog=epilog,
        no_args_is_help=help_without_command,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
