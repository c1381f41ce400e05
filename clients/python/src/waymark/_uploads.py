"""Files to upload."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Union


@dataclass(frozen=True)
class File:
    """Bytes with a name of their own."""

    content: bytes
    name: str = "file"


Upload = Union[File, Path, bytes, BinaryIO]
"""What can be uploaded: a path, bytes, an open file, or a `File`."""


def is_upload(value: object) -> bool:
    """Whether a value is a file; texts never are."""
    return isinstance(value, (File, Path, bytes, bytearray)) or hasattr(value, "read")


def read_upload(value: object) -> File:
    """A file with its bytes in memory, so that it can be signed and sent again."""
    if isinstance(value, File):
        return value
    if isinstance(value, Path):
        return File(value.read_bytes(), value.name)
    if isinstance(value, (bytes, bytearray)):
        return File(bytes(value))
    content = value.read()  # type: ignore[attr-defined]
    if not isinstance(content, bytes):
        raise TypeError("A file to upload must be opened in binary mode")
    return File(content, Path(str(getattr(value, "name", "file"))).name)
