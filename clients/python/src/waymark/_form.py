"""Bodies as multipart forms: bracket names, null as an empty text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ._uploads import File, is_upload, read_upload

Entry = tuple[str, "bytes | File"]


def holds_file(value: object) -> bool:
    """Whether there is a file anywhere in a value; JSON cannot carry one."""
    if isinstance(value, Mapping):
        return any(holds_file(each) for each in value.values())
    if isinstance(value, (list, tuple)):
        return any(holds_file(each) for each in value)
    return is_upload(value)


def form_entries(body: Mapping[str, Any]) -> list[Entry]:
    """The fields of a body in the order they are sent."""
    return [entry for name, value in body.items() for entry in _entries(name, value)]


def _entries(name: str, value: object) -> Iterator[Entry]:
    if isinstance(value, Mapping):
        if not value:
            yield name, b""
        for key, each in value.items():
            yield from _entries(f"{name}[{key}]", each)
    elif isinstance(value, (list, tuple)):
        # A form has no empty list: an empty text is null, which clears the field all the same.
        if not value:
            yield name, b""
        is_flat = not any(isinstance(each, (Mapping, list, tuple)) for each in value)
        for index, each in enumerate(value):
            yield from _entries(f"{name}[]" if is_flat else f"{name}[{index}]", each)
    elif is_upload(value):
        yield name, read_upload(value)
    else:
        yield name, _text(value).encode()


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def form_digest(entries: list[Entry]) -> str:
    """What is signed of a form: the digests of its parts, in the order they are sent."""
    manifest = "".join(
        f"{_quoted(name)}\n{hashlib.sha256(_content(value)).hexdigest()}\n" for name, value in entries
    )
    return hashlib.sha256(manifest.encode()).hexdigest()


def form_body(entries: list[Entry], boundary: str) -> bytes:
    """The bytes of a form."""
    parts: list[bytes] = []
    for name, value in entries:
        head = f'--{boundary}\r\ncontent-disposition: form-data; name="{_quoted(name)}"'
        if isinstance(value, File):
            head += f'; filename="{_quoted(value.name)}"\r\ncontent-type: application/octet-stream'
        parts += [head.encode(), b"\r\n\r\n", _content(value), b"\r\n"]
    return b"".join(parts) + f"--{boundary}--\r\n".encode()


def _content(value: bytes | File) -> bytes:
    return value.content if isinstance(value, File) else value
