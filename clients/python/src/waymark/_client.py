"""The client."""

from __future__ import annotations

from collections.abc import Callable

from ._calls import RequestInfo, ResponseInfo
from ._operations import Operations


class Client(Operations):
    """Calls the API of one server with one access token or key. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        secret: str | None = None,
        *,
        token: str | None = None,
        retries: int = 3,
        timeout: float | None = None,
        deadline: float = 600.0,
        max_delay: float = 60.0,
        strict: bool = True,
        on_request: Callable[[RequestInfo], None] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
    ) -> None:
        """
        base_url: the address of the server, such as `https://go.example.com`
        token: an access token, `wmt_…`, in place of a key
        api_key, secret: of the key; the secret signs, and only reads that need no signature do without
        retries: attempts after the first when the server is unavailable; waits for a rate limit are not counted
        timeout: seconds that one attempt may take; 60 by default, and 300 for `generate_codes`
        deadline: seconds that a whole call may take, with all its attempts and waits
        max_delay: the longest wait in seconds that the server may ask for
        strict: fields that the server does not know are an error
        on_request, on_response: called before and after every attempt
        """
        super().__init__(
            base_url,
            api_key,
            secret,
            token=token,
            retries=retries,
            timeout=timeout,
            deadline=deadline,
            max_delay=max_delay,
            strict=strict,
            on_request=on_request,
            on_response=on_response,
        )
