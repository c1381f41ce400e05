"""Errors, by what the server says."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import Any


class WaymarkError(Exception):
    """A call that failed. The subclasses say how."""

    default_code = "failed"

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str | None = None,
        errors: Mapping[str, list[str]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        canonical: str | None = None,
        data: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status; 0 when there was no response."""
        self.code = code or self.default_code
        """What went wrong, for programs: such as `validation`, `not_found` or `signature_invalid`."""
        self.errors = dict(errors or {})
        """The invalid fields, each with its messages; nested fields are named with dots."""
        self.request_id = request_id
        """Identifies the request in the server's log."""
        self.retry_after = retry_after
        """Seconds after which the server asked to be tried again."""
        self.canonical = canonical
        """With `signature_invalid`: the text that the server expected to be signed."""
        self.data = data
        """With `PreconditionError`: the resource as it is now."""


class InvalidRequestError(WaymarkError):
    """400, 405, 408, 413 or 415: the request could not be read."""

    default_code = "invalid_request"


class AuthenticationError(WaymarkError):
    """401: the key, the signature or the timestamp was not accepted."""

    default_code = "authentication_failed"


class QuotaError(WaymarkError):
    """402: the quota of the plan is reached."""

    default_code = "quota_reached"


class PermissionDenied(WaymarkError):
    """403: the caller may not do this."""

    default_code = "permission_denied"


class NotFoundError(WaymarkError):
    """404: unknown, or of another account."""

    default_code = "not_found"


class ConflictError(WaymarkError):
    """409: a name is taken, or the resource belongs to another one."""

    default_code = "conflict"


class PreconditionError(WaymarkError):
    """412: the resource was edited since the version that `if_match` named; `data` is the present one."""

    default_code = "precondition_failed"


class ValidationError(WaymarkError):
    """422: fields break their rules; `errors` says which."""

    default_code = "validation"


class RateLimitError(WaymarkError):
    """429: too many requests, and the deadline of the call left no time to wait."""

    default_code = "rate_limited"


class ServerError(WaymarkError):
    """500 and above: the server failed or is unavailable."""

    default_code = "internal"


class ConnectionFailed(WaymarkError):
    """There was no response: the server could not be reached, or the connection broke."""

    default_code = "connection_failed"


class TimedOut(ConnectionFailed):
    """An attempt, or the whole call, took too long."""

    default_code = "timeout"


_BY_STATUS: dict[int, tuple[type[WaymarkError], str]] = {
    400: (InvalidRequestError, "invalid_request"),
    401: (AuthenticationError, "authentication_failed"),
    402: (QuotaError, "quota_reached"),
    403: (PermissionDenied, "permission_denied"),
    404: (NotFoundError, "not_found"),
    405: (InvalidRequestError, "method_not_allowed"),
    408: (InvalidRequestError, "too_slow"),
    409: (ConflictError, "conflict"),
    412: (PreconditionError, "precondition_failed"),
    413: (InvalidRequestError, "too_large"),
    415: (InvalidRequestError, "unsupported_type"),
    422: (ValidationError, "validation"),
    429: (RateLimitError, "rate_limited"),
    503: (ServerError, "unavailable"),
}

# The texts of failed authentication are part of the contract, so a program may tell them apart.
_BY_TEXT = {
    "API key missing": "key_missing",
    "Invalid API key": "key_invalid",
    "Signature missing": "signature_missing",
    "Timestamp missing": "timestamp_missing",
    "Timestamp invalid": "timestamp_invalid",
    "Timestamp expired": "timestamp_expired",
    "Invalid signature": "signature_invalid",
    "Signature already used": "signature_used",
}


def error_of(status: int, headers: Mapping[str, str], body: object) -> WaymarkError:
    """The error of a response that is not a success."""
    told: dict[str, Any] = body if isinstance(body, dict) else {}
    message = told["error"] if isinstance(told.get("error"), str) else f"The server returned {status}"
    kind, code = _BY_STATUS.get(
        status, (ServerError, "internal") if status >= 500 else (WaymarkError, f"status_{status}")
    )
    errors = told.get("errors")
    return kind(
        message,
        status=status,
        code=_BY_TEXT.get(message, code) if status == 401 else code,
        errors=errors if isinstance(errors, dict) else None,
        request_id=headers.get("x-request-id"),
        retry_after=read_retry_after(headers.get("retry-after")),
        canonical=told.get("canonical"),
        data=told.get("data"),
    )


def read_retry_after(header: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds either seconds or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
