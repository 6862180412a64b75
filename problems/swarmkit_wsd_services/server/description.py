"""The OpenAPI description of the server, made from the models of its messages."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from swarmkit import __version__
from swarmkit_wsd_services.server.messages import Failure, Health, Limits, SensesRequest, SensesResponse

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
    models = [(model, "serialization") for model in (SensesResponse, Health, Failure)]
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
    refusals = {str(status): {"description": said, "content": _content("Failure")} for status, said in REFUSALS.items()}
    return {
        "summary": "The senses of a text, or of a list of words.",
        "operationId": "senses",
        "requestBody": {"required": True, "content": _content("SensesRequest")},
        "responses": {"200": {"description": "The senses.", "content": _content("SensesResponse")}, **refusals},
    }


def _get(summary: str, kind: str, model: str | None) -> dict[str, Any]:
    schema: dict[str, Any] = _reference(model) if model else {"type": "object" if kind.endswith("json") else "string"}
    return {
        "summary": summary,
        "responses": {"200": {"description": summary, "content": {kind: {"schema": schema}}}},
    }
