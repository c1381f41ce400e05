"""Responses, and lists that are read page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, NotRequired, TypedDict, TypeVar

T = TypeVar("T")

# A list that is walked through asks for the largest pages: fewer requests count against the rate limit.
_LARGEST_PAGE = 1000


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
