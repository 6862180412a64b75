"""Senses in tables: the columns of a row, and frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from swarmkit import MissingError, UsageError, install_hint, quoted, unknown
from swarmkit_wsd.answers import ALL_ANSWERS, Answers, Sense
from swarmkit_wsd.disambiguation import disambiguate_many

if TYPE_CHECKING:
    import pandas

Rows = Literal["words", "texts"]
"""A row for each word with a sense, or for each text."""

COLUMNS = tuple(name for name in Sense.model_fields if name != "alternatives")
"""The columns about a sense."""

SENSES = "senses"
"""The column with the senses of a text."""


def check_rows(rows: str) -> None:
    """Refuse what is no kind of rows."""
    if rows not in get_args(Rows):
        raise unknown("kind of rows", rows, get_args(Rows))


def free_names(columns: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """Return names for the columns of a table beside others: one that is taken begins with `text_`."""
    names = frozenset(taken)
    return {column: f"text_{column}" if column in names else column for column in columns}


def tag_frame(
    frame: pandas.DataFrame,
    column: str,
    *,
    rows: Rows = "words",
    answers: Answers = ALL_ANSWERS,
    **options: Any,
) -> pandas.DataFrame:
    """Return a frame of pandas with the senses of the texts in a column.

    Args:
        frame: the table; its index is kept.
        column: the name of the column of texts; a missing value is a text without words.
        rows: `words` for a row for each word that has a sense, with the other columns of its text; `texts` for the
            frame itself with a column `senses`, which has the `Senses` of each text.
        answers: as of `disambiguate`.
        options: as of `disambiguate`.
    """
    try:
        import pandas
    except ImportError:
        hint = install_hint("pandas")
        raise MissingError(f"tag_frame needs pandas, which the extra 'pandas' installs: {hint}") from None
    check_rows(rows)
    if not isinstance(frame, pandas.DataFrame):
        raise UsageError(f"frame is {quoted(repr(frame))}; expected a DataFrame of pandas")
    if column not in frame.columns:
        raise unknown("column", column, [str(name) for name in frame.columns])
    texts = frame[column].where(frame[column].notna(), "").tolist()
    found = list(disambiguate_many(texts, answers=answers, **options))
    if rows == "texts":
        return frame.assign(**{SENSES: pandas.Series(found, index=frame.index, dtype=object)})
    places = [at for at, senses in enumerate(found) for _ in senses]
    words = pandas.DataFrame(
        [[getattr(sense, name) for name in COLUMNS] for senses in found for sense in senses],
        columns=list(COLUMNS),
        index=frame.index[places],
    )
    others = frame.drop(columns=column).iloc[places]
    return pandas.concat([others.rename(columns=free_names(list(others.columns), COLUMNS)), words], axis=1)
