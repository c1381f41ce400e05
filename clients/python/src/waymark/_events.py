"""Streams of server-sent events."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

_DATA = b"data: "


def events_of(response: Any) -> Iterator[Any]:
    """The data of each event, until the stream ends or breaks. Comments keep the connection open and say nothing."""
    try:
        for line in response:
            if line.startswith(_DATA):
                yield json.loads(line[len(_DATA) :])
    except (OSError, http.client.HTTPException, ValueError):
        return
