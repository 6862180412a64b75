"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Options = Annotated[list[str] | None, typer.Option("-P", metavar="KEY=VALUE", help="An option of the problem wsd.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")]
