"""Client of Waymark: short links, QR codes, barcodes, landing pages and UTM links.

    from waymark import Client

    client = Client("https://go.example.com", "wm_…", "wms_…")
    link = client.generate_link(link="https://example.com/spring")["data"]
    print(link["short_url"])
    for each in client.links(tag="newsletter"):
        print(each["short_url"], each["clicks"])
"""

from ._calls import RequestInfo, ResponseInfo
from ._client import Client
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionFailed,
    InvalidRequestError,
    NotFoundError,
    PermissionDenied,
    PreconditionError,
    QuotaError,
    RateLimitError,
    ServerError,
    TimedOut,
    ValidationError,
    WaymarkError,
)
from ._lists import Listing, Response
from ._prepared import CallOptions
from ._uploads import File
from ._webhooks import WebhookVerificationError, verify_webhook

__version__ = "1.0.0"

__all__ = [
    "AuthenticationError",
    "CallOptions",
    "Client",
    "ConflictError",
    "ConnectionFailed",
    "File",
    "InvalidRequestError",
    "Listing",
    "NotFoundError",
    "PermissionDenied",
    "PreconditionError",
    "QuotaError",
    "RateLimitError",
    "RequestInfo",
    "Response",
    "ResponseInfo",
    "ServerError",
    "TimedOut",
    "ValidationError",
    "WaymarkError",
    "WebhookVerificationError",
    "verify_webhook",
]
