"""How an operation is called: signing, sending, retrying."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import random
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NotRequired, TypedDict, TypeVar

from ._errors import ConnectionFailed, TimedOut, WaymarkError, error_of
from ._events import events_of
from ._form import form_body, form_digest, form_entries, holds_file

T = TypeVar("T")

_FIRST_DELAY = 0.25
_LONGEST_BACKOFF = 8.0
_UNAVAILABLE = (0, 502, 503, 504)
# A list that is walked through asks for the largest pages: fewer requests count against the rate limit.
_LARGEST_PAGE = 1000
# How long to wait before a stream that ended is opened again.
_REOPEN_AFTER = 3.0


_ACCEPTED = {
    None: "application/json",
    "csv": "text/csv, application/json",
    "archive": "application/gzip, application/json",
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
    """What a success is when it is no JSON: `csv`, `archive` or `events`."""
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
class RequestInfo:
    """An attempt that is about to be sent. Headers may be added."""

    operation: str
    method: str
    url: str
    attempt: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ResponseInfo:
    """An attempt that has ended; `status` is 0 when there was no response."""

    operation: str
    method: str
    url: str
    attempt: int
    status: int
    request_id: str | None
    seconds: float


class Response(TypedDict, Generic[T]):
    """A successful response."""

    status: str
    message: str
    data: T
    ignored: NotRequired[list[str]]


class ListMeta(TypedDict):
    """Where a page of a list stands."""

    total: int
    next_cursor: str | None


class Page(TypedDict, Generic[T]):
    """One page of a list."""

    status: str
    message: str
    data: list[T]
    meta: ListMeta


class Listing(Generic[T]):
    """A request for a list. Iterate over it to get every item, page by page as they are needed."""

    def __init__(self, ask: Callable[[dict[str, Any]], Any], query: dict[str, Any]) -> None:
        self._ask = ask
        self._query = query

    def page(self) -> Page[T]:
        """One page, as the server returns it."""
        page: Page[T] = self._ask(self._query)
        return page

    def pages(self) -> Iterator[Page[T]]:
        """Every page."""
        query = {"limit": _LARGEST_PAGE, **self._query}
        while True:
            page: Page[T] = self._ask(query)
            yield page
            cursor = page["meta"]["next_cursor"]
            if cursor is None:
                return
            query = {**query, "cursor": cursor}

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page["data"]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A signature is for one address: a redirect is an error that says where to."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Caller:
    """What the methods of a client share."""

    operations: ClassVar[dict[str, Operation]]

    def __init__(
        self,
        base_url: str,
        api_key: str,
        secret: str | None,
        *,
        retries: int,
        timeout: float,
        deadline: float,
        max_delay: float,
        strict: bool,
        on_request: Callable[[RequestInfo], None] | None,
        on_response: Callable[[ResponseInfo], None] | None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._secret = secret
        self._retries = retries
        self._timeout = timeout
        self._deadline = deadline
        self._max_delay = max_delay
        self._strict = strict
        self._on_request = on_request
        self._on_response = on_response
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._clock = threading.Lock()
        self._last_ms = 0

    def _list(self, name: str, query: dict[str, Any], options: CallOptions | None) -> Any:
        return Listing(lambda asked: self._call(name, asked, options), query)

    def _listen(self, name: str, query: dict[str, Any], options: CallOptions | None) -> Generator[Any, None, None]:
        """
        The data of each event, until the caller stops. A stream that ends or breaks is opened again, so events in
        between can be missed; an error of the request is raised.
        """
        while True:
            with self._call(name, query, options) as response:
                yield from events_of(response)
            time.sleep(_REOPEN_AFTER)

    def _call(self, name: str, fields: dict[str, Any] | None, options: CallOptions | None) -> Any:
        operation = self.operations[name]
        given = options or CallOptions()
        ends_at = time.monotonic() + (self._deadline if given.deadline is None else given.deadline)
        prepared = self._prepare(operation, fields or {}, given)
        failures = 0
        attempt = 0
        signed_anew = False
        while True:
            attempt += 1
            try:
                return self._attempt(name, operation, prepared, attempt, ends_at - time.monotonic())
            except WaymarkError as error:
                if error.code == "signature_used" and not signed_anew:
                    signed_anew = True
                    continue
                if error.status != 429:
                    failures += 1
                delay = self._delay(operation, name, error, failures)
                if delay is None or time.monotonic() + delay >= ends_at:
                    raise
                time.sleep(delay)

    def _prepare(self, operation: Operation, fields: dict[str, Any], options: CallOptions) -> _Prepared:
        headers = {"accept": _ACCEPTED[operation.returns]}
        if self._strict:
            headers["prefer"] = "handling=strict"
        if operation.method == "GET":
            given = [(key, _query_text(value)) for key, value in fields.items() if value is not None]
            query = f"?{urllib.parse.urlencode(given)}" if given else ""
            return _Prepared(operation.path + query, None, hashlib.sha256(b"").hexdigest(), headers)
        headers["idempotency-key"] = options.idempotency_key or secrets.token_hex(16)
        if options.if_match is not None:
            version = options.if_match if isinstance(options.if_match, str) else options.if_match["updated_at"]
            headers["if-match"] = f'"{version}"'
        body = _edit_body(operation, fields)
        if operation.multipart or holds_file(body):
            entries = form_entries(body)
            boundary = f"----waymark{secrets.token_hex(16)}"
            headers["content-type"] = f"multipart/form-data; boundary={boundary}"
            return _Prepared(operation.path, form_body(entries, boundary), form_digest(entries), headers)
        text = json.dumps(body, ensure_ascii=False).encode()
        headers["content-type"] = "application/json"
        return _Prepared(operation.path, text, hashlib.sha256(text).hexdigest(), headers)

    def _attempt(
        self, name: str, operation: Operation, prepared: _Prepared, attempt: int, remaining: float
    ) -> Any:
        headers = dict(prepared.headers)
        url = self._base_url + prepared.target
        if self._on_request is not None:
            self._on_request(RequestInfo(name, operation.method, url, attempt, headers))
        headers.update(self._credentials(operation, url, prepared.digest))
        request = urllib.request.Request(url, data=prepared.body, headers=headers, method=operation.method)
        started_at = time.monotonic()
        response, status, response_headers, content = self._send(request, max(0.001, min(self._timeout, remaining)), lambda: self._tell(
            name, operation, url, attempt, 0, None, started_at
        ), operation.returns == "events")
        self._tell(name, operation, url, attempt, status, response_headers.get("x-request-id"), started_at)
        if 300 <= status < 400:
            raise WaymarkError(
                "The server redirects; give the address it leads to as base_url", status=status, code="redirected"
            )
        if response is not None:
            return response
        if status == 200 and operation.returns is not None:
            return content.decode() if operation.returns == "csv" else content
        try:
            parsed = json.loads(content)
        except ValueError:
            parsed = None
        if 200 <= status < 300 and isinstance(parsed, dict):
            return parsed
        raise error_of(status, response_headers, parsed)

    def _send(
        self, request: urllib.request.Request, timeout: float, failed: Callable[[], None], keep_open: bool
    ) -> tuple[Any, int, dict[str, str], bytes]:
        """Status, headers and content of the response, and the response itself if it is a stream that stays open."""
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
                if keep_open:
                    return response, response.status, _lower(response.headers), b""
                with response:
                    return None, response.status, _lower(response.headers), response.read()
            except urllib.error.HTTPError as error:
                with error:
                    return None, error.code, _lower(error.headers), error.read()
        except (OSError, http.client.HTTPException) as cause:
            failed()
            reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
            if isinstance(reason, TimeoutError):
                raise TimedOut("The server did not respond in time") from cause
            raise ConnectionFailed(f"The server could not be reached: {reason}") from cause

    def _credentials(self, operation: Operation, url: str, digest: str) -> dict[str, str]:
        if operation.auth == "none":
            return {}
        headers = {"x-api-key": self._api_key}
        if operation.auth != "signed":
            return headers
        if self._secret is None:
            raise TypeError(f"{operation.path} needs the secret of the key")
        parts = urllib.parse.urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        timestamp = self._timestamp()
        canonical = "\n".join([timestamp, operation.method, target, digest])
        signature = hmac.new(self._secret.encode(), canonical.encode(), hashlib.sha256).hexdigest()
        return {**headers, "x-timestamp": timestamp, "x-signature": signature}

    def _timestamp(self) -> str:
        """Milliseconds that never repeat: two requests of one millisecond would have one signature."""
        with self._clock:
            self._last_ms = max(time.time_ns() // 1_000_000, self._last_ms + 1)
            return str(self._last_ms)

    def _delay(self, operation: Operation, name: str, error: WaymarkError, failures: int) -> float | None:
        """Seconds to wait before another attempt; None when there shall be none."""
        is_limited = error.status == 429
        # Without an account nothing is kept that could make a second call a replay; a new secret is never kept.
        is_repeatable = operation.method == "GET" or (operation.auth != "none" and name != "generateKey")
        if not is_limited and (
            not is_repeatable or error.status not in _UNAVAILABLE or error.code == "redirected" or failures > self._retries
        ):
            return None
        if error.retry_after is None:
            backoff = min(_FIRST_DELAY * 2 ** max(0, failures - 1), _LONGEST_BACKOFF)
            return min(backoff * (0.5 + random.random() / 2), self._max_delay)
        return None if error.retry_after > self._max_delay else error.retry_after + _FIRST_DELAY * random.random()

    def _tell(
        self,
        name: str,
        operation: Operation,
        url: str,
        attempt: int,
        status: int,
        request_id: str | None,
        started_at: float,
    ) -> None:
        if self._on_response is not None:
            seconds = time.monotonic() - started_at
            self._on_response(ResponseInfo(name, operation.method, url, attempt, status, request_id, seconds))


@dataclass(frozen=True)
class _Prepared:
    target: str
    body: bytes | None
    digest: str
    headers: dict[str, str]


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


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
