"""The answers to requests that are taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from swarmkit_text.tokenizer import Word, split_sentences
from swarmkit_wsd.answers import Answers
from swarmkit_wsd.disambiguation import encode_ahead, input_chunks
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.raw_text import lexicon_of
from swarmkit_wsd_services.documents import answer_fields
from swarmkit_wsd_services.server.messages import SensesRequest

PROBE = SensesRequest(text="They sat on the bank of the river.")
"""What is answered before the server listens, so that data and kernels are loaded."""


RequestAnswer = dict[str, Any] | Exception
"""The fields of a `SensesResponse` or `TextsResponse`; or an error: a UsageError says what is wrong with it."""


class Answering:
    """Answers requests with the options of one problem, which are fixed when the server starts."""

    def __init__(self, options: WsdOptions) -> None:
        self.options, self._lexicon = options, lexicon_of(options)

    def __call__(self, requests: Sequence[SensesRequest]) -> list[RequestAnswer]:
        """Return the fields of the response to each request, or the error that was raised in their place.

        The sentence encoder reads all texts together; each is then disambiguated on its own, as `disambiguate` does.
        """
        # One text alone is encoded where it is answered.
        if len(requests) > 1 or any(len(request.raw_texts) > 1 for request in requests):
            encode_ahead(chain.from_iterable(map(_sentences, requests)), self.options)
        return [self._answer(request) for request in requests]

    def _answer(self, request: SensesRequest) -> RequestAnswer:
        try:
            return self._senses(request)
        except Exception as error:
            return error

    def _senses(self, request: SensesRequest) -> dict[str, Any]:
        known: Any = request.known  # places are strings of digits, as in all JSON
        if request.texts is not None:
            parts = [self._senses(request.model_copy(update={"text": text, "texts": None})) for text in request.texts]
            texts = [{"senses": part["senses"], "unknown": part["unknown"]} for part in parts]
            return {"preset": self.options.preset, "texts": texts}
        text = request.text if request.text is not None else request.tokens or []
        chunks = input_chunks(text, self._lexicon, self.options, known, request.pos, request.targets)
        answers = Answers(request.min_confidence, request.alternatives)
        return answer_fields(chunks, answers, self.options.preset)


def _sentences(request: SensesRequest) -> Iterator[Sequence[Word]]:
    """Iterate over the sentences of a request."""
    for text in request.raw_texts:
        yield from split_sentences(text)
    if request.tokens:
        yield [Word(word, at, at + 1) for at, word in enumerate(request.tokens)]


def place_of(error: BaseException) -> str:
    """Return the type of an error and where it was raised; its message may repeat a text, and is left out."""
    trace = error.__traceback__
    # The innermost frame is where the error was raised.
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace is not None else ""
    return f"{type(error).__name__}{where}"
