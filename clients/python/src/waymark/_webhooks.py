"""Webhook deliveries, verified."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any


class WebhookVerificationError(Exception):
    """A delivery that is not to be trusted."""


def verify_webhook(
    secret: str | Sequence[str], headers: Mapping[str, str], body: bytes | str, *, tolerance: float = 300.0
) -> dict[str, Any]:
    """The event of a delivery, once its signature and time have been verified.

    `body` is as it came, before anything has parsed it. While a secret is rotated, give both.
    """
    found = {name.lower(): value for name, value in headers.items()}
    delivery, timestamp, signatures = (found.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not delivery or not timestamp or not signatures:
        raise WebhookVerificationError("The headers of a webhook delivery are missing")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The delivery is too old, or the clock is wrong")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{delivery}.{timestamp}.".encode() + content
    given = [each[3:] for each in signatures.split(" ") if each.startswith("v1,")]
    for each in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.new(_key(each), signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in given):
            event: dict[str, Any] = json.loads(content)
            return event
    raise WebhookVerificationError("The signature of the delivery is wrong")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise TypeError("The secret of a webhook starts with whsec_") from error
