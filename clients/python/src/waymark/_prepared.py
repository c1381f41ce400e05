"""What is sent for an operation and its fields."""

from __future__ import annotations

import hashlib
import json
import secrets
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._form import form_body, form_digest, form_entries, holds_file

_ACCEPTED = {
    None: "application/json",
    "csv": "text/csv, application/json",
    "archive": "application/gzip, application/json",
    "zip": "application/zip, application/json",
    "picture": "application/pdf, image/*, application/json",
    "events": "text/event-stream, application/json",
}


@dataclass(frozen=True)
class Operation:
    """A row of the table of operations."""

    method: str
    path: str
    auth: str
    multipart: bool
    returns: str | None
    """What a success is when it is no JSON: `csv`, `archive`, `zip`, `picture` or `events`."""
    repeatable: bool
    """Whether it may be sent again after a lost response."""
    read_only: tuple[str, ...] | None
    """Of an edit: the fields that only the server sets."""
    files: tuple[str, ...]
    """Of an edit: the fields that take an upload and return its address."""


@dataclass(frozen=True)
class CallOptions:
    """Options of one call."""

    idempotency_key: str | None = None
    """Identifies this write: sent again, it is not done again. Every write that brings none gets one."""
    if_match: str | Mapping[str, Any] | None = None
    """Edit only if the resource has not been edited since: its `updated_at`, or the resource itself."""
    deadline: float | None = None
    """How many seconds the whole call may take, with all its attempts and waits."""


@dataclass(frozen=True)
class Prepared:
    target: str
    body: bytes | None
    digest: str
    headers: dict[str, str]


def prepare(operation: Operation, fields: dict[str, Any], options: CallOptions, *, strict: bool) -> Prepared:
    """What every attempt of a call sends, except for its signature."""
    headers = {"accept": _ACCEPTED[operation.returns]}
    if strict:
        headers["prefer"] = "handling=strict"
    if operation.method == "GET":
        given = [(key, _query_text(value)) for key, value in fields.items() if value is not None]
        query = f"?{urllib.parse.urlencode(given)}" if given else ""
        return Prepared(operation.path + query, None, hashlib.sha256(b"").hexdigest(), headers)
    headers["idempotency-key"] = options.idempotency_key or secrets.token_hex(16)
    if options.if_match is not None:
        version = options.if_match if isinstance(options.if_match, str) else options.if_match["updated_at"]
        headers["if-match"] = f'"{version}"'
    body = _edit_body(operation, fields)
    if operation.multipart or holds_file(body):
        entries = form_entries(body)
        boundary = f"----waymark{secrets.token_hex(16)}"
        headers["content-type"] = f"multipart/form-data; boundary={boundary}"
        return Prepared(operation.path, form_body(entries, boundary), form_digest(entries), headers)
    text = json.dumps(body, ensure_ascii=False).encode()
    headers["content-type"] = "application/json"
    return Prepared(operation.path, text, hashlib.sha256(text).hexdigest(), headers)


def _query_text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _edit_body(operation: Operation, fields: dict[str, Any]) -> dict[str, Any]:
    """The body of an edit. When a whole resource is sent back with changes, what only the server sets is left out."""
    if operation.read_only is None or not all(name in fields for name in operation.read_only):
        return fields
    body = {
        name: value
        for name, value in fields.items()
        if name not in operation.read_only and not (name in operation.files and isinstance(value, str))
    }
    theme = body.get("theme")
    # A page that is sent back whole is in the nested structure, which wants a gradient: one without colours is none.
    if isinstance(theme, dict) and theme.get("bggradient", "") is None:
        body["theme"] = {**theme, "bggradient": [None, None]}
    return body
