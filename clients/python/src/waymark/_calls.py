"""How an operation is called: signing, sending, retrying."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ._errors import ConnectionFailed, TimedOut, WaymarkError, error_of
from ._events import events_of
from ._lists import Listing
from ._prepared import CallOptions, Operation, Prepared, prepare

_FIRST_DELAY = 0.25
_LONGEST_BACKOFF = 8.0
_UNAVAILABLE = (0, 502, 503, 504)
# How long to wait before a stream that ended is opened again.
_REOPEN_AFTER = 3.0


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


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A signature is for one address: a redirect is an error that says where to."""

    def redirect_request(self, *_: Any) -> None:
        return None


_TIMEOUT = 60.0
# A thousand codes of different styles take minutes.
_TIMEOUTS = {"generateCodes": 300.0}


class Caller:
    """What the methods of a client share."""

    operations: ClassVar[dict[str, Operation]]

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        secret: str | None,
        *,
        token: str | None,
        retries: int,
        timeout: float | None,
        deadline: float,
        max_delay: float,
        strict: bool,
        on_request: Callable[[RequestInfo], None] | None,
        on_response: Callable[[ResponseInfo], None] | None,
    ) -> None:
        if (api_key is None) == (token is None):
            raise TypeError("Give either token, or api_key and secret")
        self._base_url = base_url.rstrip("/")
        self._token = token
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
        prepared = prepare(operation, fields or {}, given, strict=self._strict)
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
                delay = self._delay(operation, error, failures)
                if delay is None or time.monotonic() + delay >= ends_at:
                    raise
                time.sleep(delay)

    def _attempt(
        self, name: str, operation: Operation, prepared: Prepared, attempt: int, remaining: float
    ) -> Any:
        headers = dict(prepared.headers)
        url = self._base_url + prepared.target
        if self._on_request is not None:
            self._on_request(RequestInfo(name, operation.method, url, attempt, headers))
        headers.update(self._credentials(operation, url, prepared.digest))
        request = urllib.request.Request(url, data=prepared.body, headers=headers, method=operation.method)
        started_at = time.monotonic()
        limit = _TIMEOUTS.get(name, _TIMEOUT) if self._timeout is None else self._timeout
        response, status, response_headers, content = self._send(request, max(0.001, min(limit, remaining)), lambda: self._tell(
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
        if self._token is not None:
            return {"authorization": f"Bearer {self._token}"}
        headers = {"x-api-key": self._api_key or ""}
        # Signed wherever possible: a key alone is public, so some responses leave out what only its owner may see.
        if operation.auth == "session" or (operation.auth == "key" and self._secret is None):
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

    def _delay(self, operation: Operation, error: WaymarkError, failures: int) -> float | None:
        """Seconds to wait before another attempt; None when there shall be none."""
        is_limited = error.status == 429
        if not is_limited and (
            not operation.repeatable or error.status not in _UNAVAILABLE or error.code == "redirected" or failures > self._retries
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


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
