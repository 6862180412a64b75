"""What the server is asked and what it answers, as pydantic models, and the OpenAPI description made from them."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.json_schema import models_json_schema

from swarmkit import __version__, quoted
from swarmkit_wsd.answers import Sense
from swarmkit_wsd.experts.questions import Place

WRONG_FIELDS = 3
"""Fields that the sentence about a wrong request names."""


class Limits(NamedTuple):
    """The largest requests that are answered."""

    characters: int = 20_000
    """Of a text, or of all tokens together."""
    tokens: int = 4_000
    """Of a list of words, or of a text, where they are separated by white space."""
    seconds: float = 30.0
    """Until a request is answered, or refused."""
    waiting: int = 256
    """Requests that wait for their turn; further ones are refused."""

    @property
    def body(self) -> int:
        """The bytes of the largest body: a character takes up to 12 bytes in JSON."""
        # \ud83d\ude00: the escapes of a character outside the basic plane; and the fields of a list of words.
        return 12 * self.characters + 64 * self.tokens + 4096


class SensesRequest(BaseModel):
    """A text, or a list of words, whose senses are asked for."""

    # Strict: a number that arrives as text is a mistake of the client, which should hear of it.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str | None = Field(None, description="English text; either this, `texts` or `tokens`.")
    texts: list[str] | None = Field(None, description="Texts that are answered each on its own.")
    tokens: list[str] | None = Field(None, description="The words of one sentence.")
    pos: list[str | None] | None = Field(
        None, description="The part of speech of each token: n, v, a, r, a universal tag, or null."
    )
    targets: list[Place] | None = Field(None, description="The positions of the tokens to disambiguate; default all.")
    known: dict[str, str] = Field(
        default_factory=dict,
        description="Sense keys of words whose sense is known, by the number of characters (tokens) before each.",
    )
    alternatives: Annotated[int, Field(ge=0, le=100)] = Field(0, description="Other senses listed for each word.")
    min_confidence: Annotated[float, Field(ge=0, le=1)] = Field(
        0.0, description="Words that are less sure are left unanswered."
    )

    @model_validator(mode="after")
    def _one_source(self) -> SensesRequest:
        if sum(source is not None for source in (self.text, self.texts, self.tokens)) != 1:
            raise ValueError("expected either text, texts or tokens")
        if self.tokens is None and (self.pos is not None or self.targets is not None):
            raise ValueError("pos and targets go with tokens, not with a text")
        if self.texts is not None and self.known:
            raise ValueError("known goes with one text, or with tokens")
        return self

    @property
    def raw_texts(self) -> list[str]:
        """The texts that are split into words here."""
        return [self.text] if self.text is not None else self.texts or []

    @property
    def size(self) -> int:
        """The number of characters of texts, or of tokens."""
        return sum(map(len, self.raw_texts)) + sum(map(len, self.tokens or []))

    def excess(self, limits: Limits) -> str | None:
        """Return what is too large about the request; None if nothing is."""
        if self.size > limits.characters:
            return f"{self.size:,} characters; at most {limits.characters:,} are answered in one request"
        words = sum(len(text.split()) for text in self.raw_texts) + len(self.tokens or ())
        longest = max(words, len(self.texts or ()), len(self.pos or ()), len(self.targets or ()), len(self.known))
        if longest > limits.tokens:
            return f"{longest:,} words; at most {limits.tokens:,} are answered in one request"
        return None


class TextSenses(BaseModel):
    """The senses of a text, in its order."""

    senses: list[Sense]
    unknown: list[str] = Field(description="Content words that are not in WordNet.")


class SensesResponse(TextSenses):
    """The answer to one text, or to tokens."""

    preset: str


class TextsResponse(BaseModel):
    """The answer to several texts, in their order."""

    preset: str
    texts: list[TextSenses]


class Health(BaseModel):
    """That the server answers, and with what."""

    status: str
    preset: str
    version: str


class Failure(BaseModel):
    """Why a request was not answered, in a sentence."""

    error: str


def wrong_fields(error: ValidationError) -> str:
    """Return a sentence about what is wrong with a request; it repeats nothing of the request but names of fields."""
    sentences = [
        _wrong_field(detail) for detail in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    rest = f"; {len(sentences) - WRONG_FIELDS} more" if len(sentences) > WRONG_FIELDS else ""
    return "; ".join(sentences[:WRONG_FIELDS]) + rest


def _wrong_field(error: Any) -> str:
    # At most three levels of the place, quoted: names of fields come from the request.
    where = ".".join(quoted(part)[1:-1] if isinstance(part, str) else str(part) for part in error["loc"][:3])
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {message[0].lower()}{message[1:]}" if where else message


REFUSALS = {
    400: "The body is not JSON.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site.",
    408: "The body did not arrive in time.",
    413: "The request is too large.",
    415: "The content type is not JSON.",
    421: "The Host is not this server.",
    422: "A field is wrong, or a known sense is none of its word.",
    500: "An error of the server.",
    503: "Too many requests wait, or the answer took too long; Retry-After says when to ask again.",
}


def openapi(limits: Limits, token: bool) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document.

    Args:
        limits: the limits, which are part of the description.
        token: whether requests need a bearer token.
    """
    models = [(model, "serialization") for model in (SensesResponse, TextsResponse, Health, Failure)]
    _, definitions = models_json_schema(
        [(SensesRequest, "validation"), *models],  # type: ignore[list-item]  # the list of literals is inferred wider
        ref_template="#/components/schemas/{model}",
    )
    components: dict[str, Any] = {"schemas": definitions["$defs"]}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "swarmkit wsd serve",
            "version": __version__,
            "description": (
                "Senses of the words of English texts. A request has at most "
                f"{limits.characters:,} characters and {limits.tokens:,} words, and is answered within "
                f"{limits.seconds:g} seconds or refused."
            ),
        },
        "paths": {
            "/v1/senses": {"post": _senses()},
            "/healthz": {"get": _get("Whether the server answers.", "application/json", "Health")},
            "/metrics": {"get": _get("Counts and times in Prometheus's text format.", "text/plain", None)},
            "/openapi.json": {"get": _get("This description.", "application/json", None)},
        },
        "components": components,
    }
    if token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
        document["paths"]["/healthz"]["get"]["security"] = []
    return document


def _reference(model: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model}"}


def _content(model: str) -> dict[str, Any]:
    return {"application/json": {"schema": _reference(model)}}


def _senses() -> dict[str, Any]:
    refusals = {
        str(status): {"description": reason, "content": _content("Failure")} for status, reason in REFUSALS.items()
    }
    answers = {"oneOf": [_reference("SensesResponse"), _reference("TextsResponse")]}
    return {
        "summary": "The senses of a text, of several texts, or of a list of words.",
        "operationId": "senses",
        "requestBody": {"required": True, "content": _content("SensesRequest")},
        "responses": {
            "200": {"description": "The senses.", "content": {"application/json": {"schema": answers}}},
            **refusals,
        },
    }


def _get(summary: str, kind: str, model: str | None) -> dict[str, Any]:
    schema: dict[str, Any] = _reference(model) if model else {"type": "object" if kind.endswith("json") else "string"}
    return {
        "summary": summary,
        "responses": {"200": {"description": summary, "content": {kind: {"schema": schema}}}},
    }
