"""Groups of commands in the house style."""

from __future__ import annotations

import typer


def new_group(help_text: str, epilog: str = "", *, help_without_command: bool = True) -> typer.Typer:
    """Make a group of commands: plain help, no decorated tracebacks."""
    return typer.Typer(
        help=help_text,
        epilog=epilog,
        no_args_is_help=help_without_command,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
