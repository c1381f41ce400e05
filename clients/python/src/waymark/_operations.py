# Generated from the contract by `npm run generate`; do not edit.
"""Types of the API, and a method for each of its operations."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, NotRequired, TypedDict, Union, Unpack, overload

from ._calls import Caller
from ._lists import Listing, Response
from ._prepared import CallOptions, Operation
from ._uploads import Upload

class AcceptInvitationInput(TypedDict):
    """AcceptInvitationInput"""

    token: str
    """The token of the link. At most 256 characters."""


class AccessToken(TypedDict):
    """An access token."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    name: str | None
    """A name for yourself, such as the program that uses the token."""
    scopes: list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    expires_at: str | None
    """When it stops working (`YYYY-MM-DD` or ISO 8601), at most 366 days from now. Default: 90 days. `never`: no end."""
    allowed_addresses: list[str] | None
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""
    created_by: str | None
    """The `uuid` of the user who created it; it never may do more than this user. Null if it was kept when that user was removed from the workspace: it then has the role that the user had."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC)."""


class AccountRemoval(TypedDict):
    """The removal of an account."""

    reason: str
    """Why you leave, at most 250 characters. It is stored without your name. At most 250 characters."""


class AddDomainInput(TypedDict):
    """AddDomainInput"""

    name: str
    """The host name, such as `go.example.com`. At most 253 characters."""
    ignore_case: NotRequired[bool | None]
    """Whether the case of short codes is ignored: they are stored and looked up in lower case. Can be set only while the domain has never had a short code."""


class AddIdentityInput(TypedDict):
    """AddIdentityInput"""

    query: str
    """The query of the address that the OpenID provider sent the browser back to. At most 8192 characters."""


class AddPasskeyInput(TypedDict):
    """AddPasskeyInput"""

    name: str
    """What you call it, for example the device. At most 60 characters. At most 60 characters."""
    passkey: dict[str, Any]
    """The response of the authenticator: the JSON form of what `navigator.credentials` returns."""


class AddWebhookInput(TypedDict):
    """AddWebhookInput"""

    url: str
    """Where deliveries are sent: an http or https URL. At most 2048 characters."""
    events: NotRequired[list[Literal["link.created", "link.edited", "link.removed", "link.restored", "qrcode.created", "qrcode.edited", "qrcode.removed", "qrcode.restored", "barcode.created", "barcode.edited", "barcode.removed", "barcode.restored", "page.created", "page.edited", "page.removed", "page.restored", "utm.created", "utm.edited", "utm.removed", "utm.restored", "link.clicked"]] | None]
    """The events to deliver; null means all except `link.clicked`."""
    description: NotRequired[str | None]
    """A note for yourself. At most 255 characters."""


class ApiKey(TypedDict):
    """An API key."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    api_key: str
    """The key (`wm_…`), sent as `X-API-KEY`. It is public."""
    name: str | None
    """A name for yourself, such as the program that uses the key."""
    scope: Literal["read", "write"]
    """`write`: everything (the default). `read`: writes return 403. Not together with `scopes`."""
    signature_required: bool
    """Whether requests without a signature return 401, those of key-only operations too. Default false."""
    scopes: list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    expires_at: str | None
    """When it stops working (ISO 8601, UTC); null: never."""
    allowed_addresses: list[str] | None
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""
    created_by: str | None
    """The `uuid` of the user who created it; it never may do more than this user. Null if it was kept when that user was removed from the workspace: it then has the role that the user had."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC)."""


class AuditEntry(TypedDict):
    """An entry of the audit log."""

    uuid: str
    """Identifies the entry."""
    created_at: str
    """When it happened (ISO 8601, UTC); of rejected requests, the beginning of the hour."""
    actor: Literal["user", "key", "token", "command_line", "system"]
    """What acted: `user`, `key`, `token`, `command_line` or `system`."""
    user: dict[str, Any] | None
    """The user, or the user who created the key or token; null where there is none."""
    credential: dict[str, Any] | None
    """The key or token; null where there is none."""
    operation: str
    """The operation, as in the API (`editLinks`), or the command (`key create`)."""
    resources: list[dict[str, Any]]
    """What it changed, at most 20."""
    resource_count: int
    """How many resources it changed."""
    fields: list[str]
    """Names of the fields that were set, or, of an edit, that it changed."""
    details: dict[str, Any] | None
    """Values of roles and scopes, such as `{"role":"admin"}`; null where there are none."""
    rejected: int
    """How many such requests a missing role or scope rejected within the hour; 0 for a change."""
    address: str | None
    """Network of the client: the first 24 bits of an IPv4 address, 48 of an IPv6 address."""
    request_id: str | None
    """The `x-request-id` of the response."""


class Barcode(TypedDict):
    """A barcode."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    url: str | None
    """The destination of the barcode; null if it encodes a `value`."""
    value: str | None
    """A text or number to encode instead of `url`. Maximum length in characters: `code128` 200, `datamatrix` 500, `pdf417` 800, `aztec` 500, `ean13` 13, `ean8` 8, `upca` 12, `itf14` 14, `code39` 80, `gs1-128` 48, `gs1-datamatrix` 500. A missing check digit of `ean13`, `ean8`, `upca` and `itf14` is added; see `encodes`. `gs1-128` and `gs1-datamatrix` take application identifiers, such as `(01)09506000134352(10)AB12`, and check their syntax and check digits."""
    description: str | None
    """A note for yourself; visitors do not see it."""
    size: float
    """Height of the bars in pixels, 10 to 300. Default 100."""
    color: str
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    text: str | None
    """Caption. Without one, none is drawn, except the data of `gs1-128` and `gs1-datamatrix`."""
    text_size: float
    """Size of the caption in pixels, 10 to 80. Default 20."""
    text_color: str
    """Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`."""
    text_position: Literal["top", "bottom"]
    """Position of the caption. Default `bottom`."""
    symbology: Literal["code128", "datamatrix", "pdf417", "aztec", "ean13", "ean8", "upca", "itf14", "code39", "gs1-128", "gs1-datamatrix"]
    """The kind of barcode. Default `code128`."""
    dynamic: bool
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""
    encodes: str
    """The exact text inside the code."""
    short_url: str | None
    """The short link of a code that is or was dynamic; it works until the code is removed. Null if there never was one."""
    image_url: str
    """The picture as PNG."""
    svg_url: str
    """The picture as SVG."""
    scans: int
    """Clicks on the short link, without bots."""
    warnings: list[str]
    """Possible problems with scanning the code, one sentence each."""
    grade: CodeGrade | None
    """How well the code is read: twelve fixed degradations of its picture, each read by two decoders. Null on codes from before grades, until they are edited."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class BarcodeCreate(TypedDict):
    """A new barcode of a URL."""

    url: str
    """The destination of the barcode; null if it encodes a `value`. At most 2048 characters."""
    value: NotRequired[None]
    """A text or number to encode instead of `url`. Maximum length in characters: `code128` 200, `datamatrix` 500, `pdf417` 800, `aztec` 500, `ean13` 13, `ean8` 8, `upca` 12, `itf14` 14, `code39` 80, `gs1-128` 48, `gs1-datamatrix` 500. A missing check digit of `ean13`, `ean8`, `upca` and `itf14` is added; see `encodes`. `gs1-128` and `gs1-datamatrix` take application identifiers, such as `(01)09506000134352(10)AB12`, and check their syntax and check digits."""
    dynamic: NotRequired[bool | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 255 characters."""
    size: NotRequired[float | None]
    """Height of the bars in pixels, 10 to 300. Default 100."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    text: NotRequired[str | None]
    """Caption. Without one, none is drawn, except the data of `gs1-128` and `gs1-datamatrix`. At most 50 characters."""
    text_size: NotRequired[float | None]
    """Size of the caption in pixels, 10 to 80. Default 20."""
    text_color: NotRequired[str | None]
    """Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`."""
    text_position: NotRequired[Literal["top", "bottom"] | None]
    """Position of the caption. Default `bottom`."""
    symbology: NotRequired[Literal["code128", "datamatrix", "pdf417", "aztec", "ean13", "ean8", "upca", "itf14", "code39", "gs1-128", "gs1-datamatrix"] | None]
    """The kind of barcode. Default `code128`."""


class BarcodeEdit(TypedDict):
    """Changes to a barcode. Omitted fields do not change."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    url: NotRequired[str | None]
    """The destination of the barcode; null if it encodes a `value`. At most 2048 characters."""
    value: NotRequired[str | None]
    """A text or number to encode instead of `url`. Maximum length in characters: `code128` 200, `datamatrix` 500, `pdf417` 800, `aztec` 500, `ean13` 13, `ean8` 8, `upca` 12, `itf14` 14, `code39` 80, `gs1-128` 48, `gs1-datamatrix` 500. A missing check digit of `ean13`, `ean8`, `upca` and `itf14` is added; see `encodes`. `gs1-128` and `gs1-datamatrix` take application identifiers, such as `(01)09506000134352(10)AB12`, and check their syntax and check digits."""
    dynamic: NotRequired[bool | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 255 characters."""
    size: NotRequired[float | None]
    """Height of the bars in pixels, 10 to 300. Default 100."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    text: NotRequired[str | None]
    """Caption. Without one, none is drawn, except the data of `gs1-128` and `gs1-datamatrix`. At most 50 characters."""
    text_size: NotRequired[float | None]
    """Size of the caption in pixels, 10 to 80. Default 20."""
    text_color: NotRequired[str | None]
    """Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`."""
    text_position: NotRequired[Literal["top", "bottom"] | None]
    """Position of the caption. Default `bottom`."""
    symbology: NotRequired[Literal["code128", "datamatrix", "pdf417", "aztec", "ean13", "ean8", "upca", "itf14", "code39", "gs1-128", "gs1-datamatrix"] | None]
    """The kind of barcode. Default `code128`."""


class BeginOidcInput(TypedDict):
    """BeginOidcInput"""

    pass


class BeginOidcProofInput(TypedDict):
    """BeginOidcProofInput"""

    pass


class BrandKit(TypedDict):
    """Colours, font, logo and QR code styles of an account. Values that are not set are null."""

    color: str | None
    """Main colour, `#rgb` or `#rrggbb`: QR codes and the buttons of pages."""
    accent: str | None
    """Second colour, `#rgb` or `#rrggbb`: the eyes of QR codes and the icons of pages."""
    background: str | None
    """Background colour, `#rgb` or `#rrggbb`."""
    font: Literal["overpass", "overpass-mono", "serif", "rounded"] | None
    """Font of pages. Frames of QR codes have the outlined font that is nearest: `serif`, `mono` or `sans`."""
    logo: str | None
    """The logo: an image of at most 2048 KB; in responses its URL."""
    styles: list[BrandKitStyle]
    """Saved styles of QR codes, at most 20. A list replaces all of them."""
    default_style: str | None
    """Name of the saved style that the dashboard uses for new QR codes."""


class BrandKitEdit(TypedDict):
    """Changes to the brand kit. Omitted fields do not change; null removes them."""

    color: NotRequired[str | None]
    """Main colour, `#rgb` or `#rrggbb`: QR codes and the buttons of pages."""
    accent: NotRequired[str | None]
    """Second colour, `#rgb` or `#rrggbb`: the eyes of QR codes and the icons of pages."""
    background: NotRequired[str | None]
    """Background colour, `#rgb` or `#rrggbb`."""
    font: NotRequired[Literal["overpass", "overpass-mono", "serif", "rounded"] | None]
    """Font of pages. Frames of QR codes have the outlined font that is nearest: `serif`, `mono` or `sans`."""
    logo: NotRequired[Upload | None]
    """The logo: an image of at most 2048 KB; in responses its URL."""
    styles: NotRequired[list[BrandKitStyleInput] | None]
    """Saved styles of QR codes, at most 20. A list replaces all of them."""
    default_style: NotRequired[str | None]
    """Name of the saved style that the dashboard uses for new QR codes. At most 40 characters."""


class BrandKitStyle(TypedDict):
    """A saved style of QR codes. Values that are not set have their defaults."""

    name: str
    """At most 40 characters; unique. At most 40 characters."""
    pattern: Literal["squares", "dots"]
    """How the modules are drawn."""
    style: NotRequired[Literal["rounded", "classy", "diamond", "bars"] | None]
    """A further shape of the modules, instead of `pattern`."""
    eye_style: NotRequired[Literal["square", "rounded", "circle"] | None]
    """Shape of the three corner squares. Default `square`."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: NotRequired[str | None]
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    background: NotRequired[str | None]
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    frame: NotRequired[str | None]
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide. At most 50 characters."""
    frame_font: NotRequired[Literal["sans", "serif", "mono"] | None]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""


class BrandKitStyleInput(TypedDict):
    """A style of QR codes to save. Values that are not set have their defaults."""

    name: str
    """At most 40 characters; unique. At most 40 characters."""
    pattern: Literal["squares", "dots"]
    """How the modules are drawn."""
    style: NotRequired[Literal["rounded", "classy", "diamond", "bars"] | None]
    """A further shape of the modules, instead of `pattern`."""
    eye_style: NotRequired[Literal["square", "rounded", "circle"] | None]
    """Shape of the three corner squares. Default `square`."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: NotRequired[str | None]
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    background: NotRequired[str | None]
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    frame: NotRequired[str | None]
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide. At most 50 characters."""
    frame_font: NotRequired[Literal["sans", "serif", "mono"] | None]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""


class BulkChange(TypedDict):
    """Changes to many links."""

    add_tags: NotRequired[list[str] | None]
    """Tags to add. A link that would have more than 20 tags is skipped."""
    remove_tags: NotRequired[list[str] | None]
    """Tags to remove."""
    archived: NotRequired[bool | None]
    """Whether the links are archived."""
    expire: NotRequired[str | None]
    """When the links expire, as in `/v1/edit-links`; null: never."""
    expire_now: NotRequired[Literal[True] | None]
    """Whether the links expire at once. Links that have expired already are skipped."""
    remove: NotRequired[Literal[True] | None]
    """Whether the links are moved to the trash. No other change can be given with it."""


class BulkEdit(TypedDict):
    """A change of many links."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    state: Literal["running", "done", "undoing", "undone", "failed"]
    """`running`. `done`. `undoing`. `undone`. `failed`: `error` gives the reason; earlier changes stay."""
    filter: dict[str, Any] | None
    """The filter of the links; null if the request had `uuids`."""
    change: dict[str, Any]
    """What it changes, as requested."""
    total: int
    """Number of links when it began."""
    processed: int
    """Links processed so far."""
    changed: int
    """Links that were changed."""
    skipped: int
    """Links that were not changed, because the change has no effect or is not possible."""
    error: str | None
    """Why it failed; null otherwise."""
    undoable: bool
    """Whether `/v1/undo-bulk-edit` can still undo it."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""
    finished_at: str | None
    """When it was done, undone or failed (ISO 8601, UTC)."""


class BulkEditLinksInput(TypedDict):
    """BulkEditLinksInput"""

    uuids: NotRequired[list[str] | None]
    """The links to change, up to 1,000. They are changed before the response, all or none."""
    filter: NotRequired[BulkFilter | None]
    """Instead of `uuids`: all links that match. They are changed in the background."""
    change: BulkChange
    """What to change."""


class BulkFilter(TypedDict):
    """Which links, as in `/v1/links`. An empty filter means every link."""

    search: NotRequired[str]
    """Only links that contain this text (case-insensitive). At most 2048 characters."""
    tag: NotRequired[str | list[str]]
    """Only links with this tag. Repeated, only links with all of the tags."""
    domain: NotRequired[str]
    """Only links on this domain. At most 255 characters."""
    state: NotRequired[Literal["all", "active", "expired", "archived"]]
    """Default `all`. `active`: not archived, expired or used up; scheduled ones are included. `expired`: expired or used up."""
    owner: NotRequired[Literal["any", "none"]]
    """Default `any`. `none`: only links that do not belong to a page, code or UTM link."""


class CancelEmailChangeInput(TypedDict):
    """CancelEmailChangeInput"""

    token: str
    """The token from the mail. At most 256 characters."""


class ChangeEmailInput(TypedDict):
    """ChangeEmailInput"""

    email: str
    """The new email address. At most 254 characters."""
    password: NotRequired[str | None]
    """The current password; not needed within 15 minutes of `reauthenticate`. At most 256 characters."""


class CheckDomainInput(TypedDict):
    """CheckDomainInput"""

    name: str
    """The host name, such as `go.example.com`. At most 253 characters."""


class CheckInvitationInput(TypedDict):
    """CheckInvitationInput"""

    token: str
    """The token of the link. At most 256 characters."""


class CheckResetInput(TypedDict):
    """CheckResetInput"""

    token: str
    """The token from the mail. At most 256 characters."""


class ClickCounts(TypedDict):
    """Numbers of clicks."""

    clicks: int
    """Clicks, without bots."""
    uniques: int
    """Different visitors, counted per day."""
    bots: int
    """Requests of bots and crawlers."""


class ClickPoint(TypedDict):
    """One point of a series."""

    at: str
    """Start of this point (ISO 8601, UTC)."""
    clicks: int
    """Clicks, without bots."""
    uniques: int
    """Different visitors, counted per day."""
    bots: int
    """Requests of bots and crawlers."""


class ClickShare(TypedDict):
    """The clicks of one value."""

    value: str
    """The value, such as a country or a browser. For `hour_of_week`, `1-09` is Monday from 09:00 to 10:00."""
    clicks: int
    """Clicks, without bots."""
    label: NotRequired[str | None]
    """The label of the button or the name of the icon; null when the page no longer has it."""
    rate: NotRequired[float | None]
    """Clicks on it for each view of the page in the period; null without views."""
    link: NotRequired[ClickedLink | None]
    """For `link`: the short link; null when it was removed."""


ClickStatistics = TypedDict("ClickStatistics", {
    "uuid": "str | None",
    "from": "str",
    "to": "str",
    "interval": "Literal[\"hour\", \"day\", \"week\", \"month\"]",
    "totals": "ClickCounts",
    "series": "list[ClickPoint]",
    "uniques_exact": "bool",
    "by": "Literal[\"country\", \"referrer\", \"device\", \"browser\", \"system\", \"language\", \"utm_source\", \"utm_medium\", \"utm_campaign\", \"variant\", \"rule\", \"source\", \"button\", \"icon\", \"hour_of_week\", \"link\"] | None",
    "timezone": "str",
    "timezone_exact": "bool",
    "previous": "PreviousClicks | None",
    "breakdown": "list[ClickShare]",
    "breakdowns": "NotRequired[dict[str, list[ClickShare]]]",
})


class ClickedLink(TypedDict):
    """A short link in a breakdown."""

    short_url: str
    """The short link."""
    code: str
    """Its short code."""
    domain: str
    """Its domain."""
    title: str | None
    """Its title, else its description."""


class CodeGrade(TypedDict):
    """How well a code is read in poor conditions."""

    letter: Literal["A", "B", "C", "D", "F"]
    """Of twelve degradations both decoders read 12: A, 10: B, 8: C, 6: D, fewer: F."""
    reasons: list[str]
    """The conditions in which a decoder did not read it, such as `blurred` or `tilted`."""
    min_width_mm: float
    """The narrowest print in millimetres, quiet zone included."""


class ConfirmEmailInput(TypedDict):
    """ConfirmEmailInput"""

    token: str
    """The token from the mail. At most 256 characters."""


class ConfirmTotpInput(TypedDict):
    """ConfirmTotpInput"""

    code: str
    """The code that the authenticator app shows. At most 64 characters."""


class ContactContent(TypedDict):
    """A contact to save (vCard 3.0)."""

    type: Literal["contact"]
    """What the code is for."""
    first_name: NotRequired[str | None]
    """First name. At most 20000 characters."""
    last_name: NotRequired[str | None]
    """Last name. A contact needs a first name, a last name or an organisation. At most 20000 characters."""
    organisation: NotRequired[str | None]
    """Company or organisation. At most 20000 characters."""
    title: NotRequired[str | None]
    """Of a contact: the job title. Of an event: what it is called. At most 20000 characters."""
    phone: NotRequired[str | None]
    """Phone number at work. At most 40 characters."""
    mobile: NotRequired[str | None]
    """Mobile phone number. At most 40 characters."""
    email: NotRequired[str | None]
    """Email address. At most 254 characters."""
    website: NotRequired[str | None]
    """An http or https URL. At most 2048 characters."""
    street: NotRequired[str | None]
    """Street and house number. At most 20000 characters."""
    city: NotRequired[str | None]
    """City. At most 20000 characters."""
    postcode: NotRequired[str | None]
    """Postal code. At most 40 characters."""
    country: NotRequired[str | None]
    """Country. At most 20000 characters."""
    note: NotRequired[str | None]
    """A note. At most 20000 characters."""


class ContentQrCodeCreate(TypedDict):
    """A new QR code with a `content`."""

    url: NotRequired[None]
    """The destination of the code; null if it encodes a `content`."""
    content: WifiContent | ContactContent | EventContent | EmailContent | SmsContent | PhoneContent | LocationContent | TextContent | SepaContent
    """What the code encodes instead of `url`: a Wi-Fi network, a contact, an event, an email, a text message, a phone number, a place, a text or a SEPA transfer. With the key alone responses show its `type` only."""
    pattern: Literal["squares", "dots"]
    """How the modules are drawn."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 2048 characters."""
    size: NotRequired[int | None]
    """Width and height in pixels, 200 to 500. Default 300."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: NotRequired[str | None]
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    style: NotRequired[Literal["rounded", "classy", "diamond", "bars"] | None]
    """A further shape of the modules, instead of `pattern`."""
    eye_style: NotRequired[Literal["square", "rounded", "circle"] | None]
    """Shape of the three corner squares. Default `square`."""
    frame: NotRequired[str | None]
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide. At most 50 characters."""
    frame_font: NotRequired[Literal["sans", "serif", "mono"] | None]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""
    logo: NotRequired[Upload | None]
    """A picture in the middle of the code: PNG or JPEG, at most 2048 KB."""
    background: NotRequired[str | None]
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    margin: NotRequired[int | None]
    """Width of the quiet zone in modules, 0 to 20. Default 4."""
    dynamic: NotRequired[Literal[False] | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""


class CreateWorkspaceInput(TypedDict):
    """CreateWorkspaceInput"""

    name: str
    """Name of the workspace, at most 60 characters. At most 60 characters."""


class DnsRecord(TypedDict):
    """A DNS record to create."""

    type: Literal["TXT", "CNAME", "A", "AAAA"]
    """Type of the DNS record."""
    name: str
    """Name of the record."""
    value: str
    """Value of the record."""


class Domain(TypedDict):
    """A domain for short links and pages."""

    name: str
    """The host name, such as `go.example.com`."""
    verified: bool
    """Whether the DNS record was found. An unverified domain cannot be used."""
    shared: bool
    """Whether it belongs to the instance or to all accounts rather than to this one."""
    txt_name: str | None
    """Name of the DNS TXT record that proves the domain; null if no proof is needed. Records and settings are shown only to callers with the role admin who sign, use a token or are signed in."""
    txt_value: str | None
    """Value of that TXT record."""
    records: list[DnsRecord]
    """DNS records to create: TXT proves that you control the domain, one of the others points to this instance."""
    root_url: str | None
    """Destination of the root path (302). Null: a page with the name of the domain."""
    not_found_url: str | None
    """Where visitors of an unknown address are sent (302). Null: a 404 page."""
    expired_url: str | None
    """Destination of links that have expired or reached their click limit (302). Null: a 410 page. Removed and blocked links always show a 410 page."""
    brand_name: str | None
    """The name on pages for visitors, at most 80 characters."""
    brand_color: str | None
    """Colour of buttons on pages for visitors, `#rgb` or `#rrggbb`."""
    logo: str | None
    """A picture on pages for visitors, at most 2048 KB. Responses contain its URL."""
    ignore_case: bool
    """Whether the case of short codes is ignored: they are stored and looked up in lower case. Can be set only while the domain has never had a short code."""
    created_at: str | None
    """When it was added (ISO 8601, UTC); null for the host of this instance."""
    updated_at: str | None
    """When it was last changed (ISO 8601, UTC); null for the host of this instance."""


class DomainCheck(TypedDict):
    """The result of checking a domain."""

    name: str
    """The host name, such as `go.example.com`."""
    verified: bool
    """Whether the DNS record was found. An unverified domain cannot be used."""
    records: list[dict[str, Any]]
    """The DNS records that were checked: TXT, then the one that points to this instance."""
    https: dict[str, Any]
    """Whether the domain responds over HTTPS."""


class EditDomainInput(TypedDict):
    """EditDomainInput"""

    name: str
    """The host name, such as `go.example.com`. At most 253 characters."""
    root_url: NotRequired[str | None]
    """Destination of the root path (302). Null: a page with the name of the domain. At most 2048 characters."""
    not_found_url: NotRequired[str | None]
    """Where visitors of an unknown address are sent (302). Null: a 404 page. At most 2048 characters."""
    expired_url: NotRequired[str | None]
    """Destination of links that have expired or reached their click limit (302). Null: a 410 page. Removed and blocked links always show a 410 page. At most 2048 characters."""
    brand_name: NotRequired[str | None]
    """The name on pages for visitors, at most 80 characters. At most 80 characters."""
    brand_color: NotRequired[str | None]
    """Colour of buttons on pages for visitors, `#rgb` or `#rrggbb`."""
    logo: NotRequired[Upload | None]
    """A picture on pages for visitors, at most 2048 KB. Responses contain its URL."""
    ignore_case: NotRequired[bool | None]
    """Whether the case of short codes is ignored: they are stored and looked up in lower case. Can be set only while the domain has never had a short code."""


class EditMemberInput(TypedDict):
    """EditMemberInput"""

    uuid: str
    """Identifies the user. At most 2048 characters."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """What the member may do: `viewer`, `editor`, `admin` or `owner`."""


class EditWebhookInput(TypedDict):
    """EditWebhookInput"""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    url: NotRequired[str | None]
    """Where deliveries are sent: an http or https URL. At most 2048 characters."""
    events: NotRequired[list[Literal["link.created", "link.edited", "link.removed", "link.restored", "qrcode.created", "qrcode.edited", "qrcode.removed", "qrcode.restored", "barcode.created", "barcode.edited", "barcode.removed", "barcode.restored", "page.created", "page.edited", "page.removed", "page.restored", "utm.created", "utm.edited", "utm.removed", "utm.restored", "link.clicked"]] | None]
    """The events to deliver; null means all except `link.clicked`."""
    description: NotRequired[str | None]
    """A note for yourself. At most 255 characters."""
    enabled: NotRequired[bool | None]
    """Whether events are delivered."""


class EditWorkspaceInput(TypedDict):
    """EditWorkspaceInput"""

    name: NotRequired[str | None]
    """Name of the workspace, at most 60 characters. At most 60 characters."""
    require_second_factor: NotRequired[bool | None]
    """Whether members must have a second factor."""


class EmailContent(TypedDict):
    """An email to write."""

    type: Literal["email"]
    """What the code is for."""
    to: str
    """Email address of the recipient. At most 254 characters."""
    subject: NotRequired[str | None]
    """Subject of the email. At most 20000 characters."""
    body: NotRequired[str | None]
    """Text of the email. At most 20000 characters."""


class EmailStatus(TypedDict):
    """The state of the email address of the account."""

    email: str
    """Email address of the account."""
    confirmed: bool
    """Whether the address is confirmed. True where the instance sends no mail."""
    pending_email: str | None
    """The new address that is not confirmed yet, or null."""


class EraseInput(TypedDict):
    """EraseInput"""

    uuids: list[str]
    """The removed resources to erase, up to 100. All are erased, or none."""


class ErasedResources(TypedDict):
    """What was erased."""

    uuids: list[str]
    """The erased resources."""


class EventContent(TypedDict):
    """An event for the calendar (iCalendar)."""

    type: Literal["event"]
    """What the code is for."""
    title: str
    """Of a contact: the job title. Of an event: what it is called. At most 20000 characters."""
    starts_at: str
    """When the event begins: a day (`YYYY-MM-DD`) or an ISO 8601 time, UTC unless it has an offset. At most 40 characters."""
    ends_at: NotRequired[str | None]
    """When it ends, in the form of `starts_at`. A day is the last day of the event. At most 40 characters."""
    location: NotRequired[str | None]
    """Where the event takes place. At most 20000 characters."""
    description: NotRequired[str | None]
    """What the event is about. At most 20000 characters."""


class Feedback(TypedDict):
    """Feedback that was sent."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    feedback: str
    """Your message, at most 250 characters."""
    image: str | None
    """A picture of at most 2048 KB; in responses its URL."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""


class FeedbackCreate(TypedDict):
    """New feedback."""

    feedback: str
    """Your message, at most 250 characters. At most 250 characters."""
    image: NotRequired[Upload | None]
    """A picture of at most 2048 KB; in responses its URL."""


class ForgotPasswordInput(TypedDict):
    """ForgotPasswordInput"""

    email: str
    """Email address of the account. At most 254 characters."""


class GenerateCodesInput(TypedDict):
    """GenerateCodesInput"""

    qrcodes: NotRequired[list[QrCodeCreate | ContentQrCodeCreate] | None]
    """The new QR codes, as `generate-qr` takes them."""
    barcodes: NotRequired[list[BarcodeCreate | ValueBarcodeCreate] | None]
    """The new barcodes, as `generate-barcode` takes them."""


class GenerateKeyInput(TypedDict):
    """GenerateKeyInput"""

    name: NotRequired[str | None]
    """A name for yourself, such as the program that uses the key. At most 100 characters."""
    scope: NotRequired[Literal["read", "write"] | None]
    """`write`: everything (the default). `read`: writes return 403. Not together with `scopes`."""
    signature_required: NotRequired[bool | None]
    """Whether requests without a signature return 401, those of key-only operations too. Default false."""
    expires_at: NotRequired[str | None]
    """When it stops working (ISO 8601, UTC); null: never."""
    scopes: NotRequired[list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None]
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    allowed_addresses: NotRequired[list[str] | None]
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""


class GenerateLinksInput(TypedDict):
    """GenerateLinksInput"""

    links: list[LinkCreate]
    """The new short links. All are created, or none."""


class GenerateTokenInput(TypedDict):
    """GenerateTokenInput"""

    name: NotRequired[str | None]
    """A name for yourself, such as the program that uses the token. At most 100 characters."""
    expires_at: NotRequired[str | None]
    """When it stops working (`YYYY-MM-DD` or ISO 8601), at most 366 days from now. Default: 90 days. `never`: no end. At most 64 characters."""
    scopes: NotRequired[list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None]
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    allowed_addresses: NotRequired[list[str] | None]
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""


class Health(TypedDict):
    """The state of the service."""

    status: Literal["success"]
    """Always `success`."""
    message: str
    """States that the system is healthy and operational."""


class Identity(TypedDict):
    """An identity at the OpenID provider that signs the user in."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    issuer: str
    """The provider."""
    email: str | None
    """The email address that the provider gave, or null. It does not identify the user."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC), or null."""


class Import(TypedDict):
    """An import of short links."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    state: Literal["ready", "running", "done", "failed", "undoing", "undone"]
    """`ready`: waits for `/v1/run-import`, until `runnable_until` or the next preview. `running`. `done`. `failed`: `error` gives the reason, and no links were created. `undoing`. `undone`."""
    source: str
    """The service that the file is from, detected by its columns."""
    filename: str
    """The name of the file."""
    on_taken: Literal["skip", "rename", "fail"] | None
    """What to do if a short code is taken: `skip` the link, `rename` it (a random short code), or `fail` (nothing is imported). Default: `fail` for custom short codes, `rename` for random ones."""
    domain: str | None
    """The domain for links whose host is not one of your domains. Default: the host of this instance for files of other services; in your own files an unknown domain is an error."""
    total: int
    """Links in the file."""
    importable: int
    """Valid links of the file; a preview also excludes links whose domain does not exist here."""
    taken: int
    """Links of `importable` whose short code is taken, or is that of an earlier link of the file; counted by a preview, and before an import that fails because of them."""
    processed: int
    """Links processed so far, of `importable`."""
    created: int
    """Links created."""
    skipped: int
    """Links skipped because their short code or domain could not be used."""
    renamed: int
    """Links created with another short code because theirs was taken."""
    columns: list[ImportColumn]
    """The columns of the file and their fields."""
    rows: list[ImportRow]
    """The first links, as they will be created."""
    problems: list[ImportProblem]
    """The first 1,000 problems, by line."""
    problem_count: int
    """Number of all problems."""
    error: str | None
    """Why the import failed; null otherwise."""
    runnable_until: str | None
    """Until when `/v1/run-import` can start it: 24 hours after a preview, or after it failed (ISO 8601, UTC). Null: it cannot be started."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""
    finished_at: str | None
    """When it was done, failed or undone (ISO 8601, UTC)."""


class ImportColumn(TypedDict):
    """A column of an imported file and its field."""

    column: str
    """The column name in the file."""
    field: str | None
    """The field; null: the column is ignored."""


class ImportLinksInput(TypedDict):
    """ImportLinksInput"""

    file: Upload
    """The file, up to 32 MiB: CSV or JSON in UTF-8 or Windows-1252, bookmarks as HTML, or an SQL dump of YOURLS."""
    source: NotRequired[Literal["waymark", "bitly", "dub", "kutt", "rebrandly", "short.io", "shlink", "yourls", "tinyurl", "pocket", "bookmarks", "generic"] | None]
    """The service that the file is from. Default: detected by its columns."""
    columns: NotRequired[list[dict[str, Any]] | None]
    """The fields of columns that are not recognised by name: `link`, `customLink` and the other fields of a new link, `created_at`, `clicks`, `short_url` and so on; null ignores a column. Columns that are left out are detected."""
    on_taken: NotRequired[Literal["skip", "rename", "fail"] | None]
    """What to do if a short code is taken: `skip` the link, `rename` it (a random short code), or `fail` (nothing is imported). Default: `fail` for custom short codes, `rename` for random ones."""
    domain: NotRequired[str | None]
    """The domain for links whose host is not one of your domains. Default: the host of this instance for files of other services; in your own files an unknown domain is an error. At most 255 characters."""
    preview: NotRequired[bool | None]
    """Only read the file. `/v1/run-import` then starts the import. A preview replaces the previous one."""
    background: NotRequired[bool | None]
    """Import in the background and skip rows with problems. Always on for files of more than 1,000 links. Otherwise all links are created at once, or none."""


class ImportProblem(TypedDict):
    """A remark about a row of an imported file."""

    line: int
    """The line of the file, or the number of the item in a JSON list."""
    column: str | None
    """The column name in the file; null for the whole row."""
    message: str
    """What is wrong, or what was done."""
    skipped: bool
    """Whether the row is skipped."""


class ImportRow(TypedDict):
    """A link of an imported file, as it will be created."""

    line: int
    """Where it is in the file."""
    link: str
    """The destination."""
    short_code: str | None
    """The short code; null: a random one."""
    title: str | None
    """Its title."""
    tag: str | None
    """Its first tag."""
    created_at: str | None
    """When it was created at the other service."""
    clicks: int
    """Clicks counted at the other service."""


class Instance(TypedDict):
    """Settings of the instance that the dashboard needs before sign-in."""

    name: str
    """Name of the instance."""
    base_url: str
    """Its public address."""
    signup: Literal["open", "closed"]
    """Whether accounts can be created in the dashboard."""
    mail: bool
    """Whether the instance sends mail, for example to reset a password."""
    passkeys: bool
    """Whether the instance can use passkeys."""
    oidc: str | None
    """Name of the OpenID provider that users can sign in with; null without one."""
    password_sign_in: bool
    """Whether a password signs in."""


class Invitation(TypedDict):
    """An invitation that was not accepted yet."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    email: str
    """The address that was invited."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """The role that the new member gets."""
    created_by: str | None
    """The `uuid` of the user who invited; null if a key without a user did."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    expires_at: str
    """Until when the link works (ISO 8601, UTC)."""


class InviteMemberInput(TypedDict):
    """InviteMemberInput"""

    email: str
    """The address that was invited. At most 254 characters."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """The role that the new member gets."""


class Invoice(TypedDict):
    """An invoice. Amounts are in the smallest unit of the currency."""

    number: str
    """Number of the invoice."""
    issued_at: str
    """When it was issued (ISO 8601, UTC)."""
    due_at: str
    """When it is due (ISO 8601, UTC)."""
    period_start: str
    """Start of the period that it charges (ISO 8601, UTC)."""
    period_end: str
    """End of that period (ISO 8601, UTC)."""
    seller: InvoiceSeller
    buyer: InvoiceBuyer
    lines: list[InvoiceLine]
    """What is charged."""
    subtotal: int
    """Sum of the lines, before tax."""
    tax: InvoiceTax
    """The tax."""
    total: int
    """What is to be paid."""
    currency: str
    """ISO 4217 code of the currency."""
    pdf_url: str
    """The invoice as PDF. The link works for 15 minutes, without a key."""


class InvoiceBuyer(TypedDict):
    """Who buys."""

    name: str
    """Name."""
    address: str | None
    """Postal address."""
    email: str
    """Email address."""


class InvoiceLine(TypedDict):
    """One line of an invoice."""

    description: str
    """What is charged."""
    quantity: int
    """How many."""
    unit_price: int
    """Price of one, in the smallest unit of the currency."""
    amount: int
    """Price of all, in the smallest unit of the currency."""


class InvoiceSeller(TypedDict):
    """Who sells."""

    name: str
    """Name."""
    address: str | None
    """Postal address."""
    tax_id: str | None
    """Tax identification number."""


class InvoiceTax(TypedDict):
    """The tax of an invoice."""

    rate: float
    """Tax rate in percent."""
    amount: int
    """Tax, in the smallest unit of the currency."""


class LeaveWorkspaceInput(TypedDict):
    """LeaveWorkspaceInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class Link(TypedDict):
    """A short link."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    link: str
    """The destination: an http or https URL."""
    title: str | None
    """A name for the link in lists; visitors do not see it."""
    description: str | None
    """A note for yourself; visitors do not see it."""
    tag: str | None
    """The first of `tags`. Another one replaces the first; null removes all of them."""
    tags: list[str]
    """Up to 20 tags to group and filter links by. `tag` is the first of them."""
    archived: bool
    """Hidden from the lists of the dashboard. The link still redirects."""
    starts_at: str | None
    """When the link starts to redirect; before that it returns 404. `YYYY-MM-DD` means the start of that day, UTC; an ISO 8601 time is exact."""
    expire: str | None
    """When the link expires. `YYYY-MM-DD` means the end of that day, UTC; an ISO 8601 time is exact."""
    customLink: str | None
    """A custom short code: 1 to 64 letters, digits, hyphens or underscores. On edit it renames the link, and the old short code keeps working."""
    code: str
    """The short code, the part of `short_url` after the slash."""
    domain: str
    """The domain that serves the link. Default: the host of this instance."""
    short_url: str
    """The short link."""
    redirect: int
    """Status of the redirect: 301, 302, 307 or 308. Default 302."""
    has_password: bool
    """Whether visitors are asked for a password."""
    max_clicks: int | None
    """Click limit: after this many clicks the link returns 410."""
    ios_url: str | None
    """Destination for iPhones and iPads."""
    android_url: str | None
    """Destination for Android devices."""
    forward_query: bool
    """Whether the query parameters of the short link are added to the destination. Parameters of the destination take precedence."""
    forward_path: bool
    """Whether a path after the short link is added to the destination: `/{code}/a/b` leads to the path of the destination followed by `/a/b`. Without it such a path returns 404."""
    rules: list[ReturnedLinkRule]
    """Up to 20 rules, in order. The first one that matches decides the destination; `ios_url` and `android_url` act as two more at the end."""
    variants: list[LinkVariant]
    """Two to five destinations that share the visitors by weight and replace `link`. A visitor always sees the same one."""
    preview: LinkPreview | None
    """What apps such as Slack, WhatsApp or LinkedIn show when the short link is shared. Their preview fetchers get a page with these texts and the picture; everyone else is redirected. Null: no card."""
    clicks: int
    """Number of clicks, without bots."""
    imported_clicks: int
    """Number of clicks that another service counted before the link was imported."""
    last_click_at: str | None
    """When the link was last clicked (ISO 8601, UTC); null before the first click."""
    blocked: LinkBlock | None
    """Why the operator has blocked the link, its owner or its destination; null if it is not blocked."""
    owner: LinkOwner | None
    """The page, code or UTM link that this link belongs to; null if there is none."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class LinkBlock(TypedDict):
    """Why and when the operator has blocked a link. Visitors get a 410 page."""

    reason: str | None
    """The reason that the operator gave, or null."""
    blocked_at: str
    """When (ISO 8601, UTC)."""


class LinkChangeCause(TypedDict):
    """What changed a link."""

    type: Literal["created", "import", "dashboard", "key", "revert", "restore", "resource"]
    """`created`, `import`, `dashboard`, `key` (an API key), `revert`, `restore` (from the trash), or `resource` (the page or code that the link belongs to)."""
    name: str | None
    """The name of the API key; null for other causes."""


class LinkConditions(TypedDict):
    """When a rule matches. All given conditions must be true; a list contains alternatives."""

    country: NotRequired[list[str]]
    """Country of the visitor: ISO 3166-1 codes of two letters."""
    language: NotRequired[list[str]]
    """First preference of `Accept-Language`: a prefix, so `fr` matches `fr-CA`."""
    device: NotRequired[list[Literal["mobile", "tablet", "desktop"]]]
    """`mobile`, `tablet` or `desktop`."""
    os: NotRequired[list[str]]
    """Operating system, named as in statistics, case-insensitive: `iOS`, `Android`, `Windows`, `macOS`."""
    browser: NotRequired[list[str]]
    """Browser, named as in statistics, case-insensitive: `Chrome`, `Safari`, `Firefox`, `Microsoft Edge` or `edge`."""
    referrer: NotRequired[list[str]]
    """Host of the referring page, including subdomains."""
    query: NotRequired[list[str]]
    """A parameter of the short link: `name`, or `name=value`."""
    after: NotRequired[str]
    """From this time on (ISO 8601, UTC unless it has an offset)."""
    before: NotRequired[str]
    """Until this time (ISO 8601, UTC unless it has an offset)."""


class LinkCreate(TypedDict):
    """A new short link."""

    link: str
    """The destination: an http or https URL. At most 2048 characters."""
    title: NotRequired[str | None]
    """A name for the link in lists; visitors do not see it. At most 255 characters."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 2048 characters."""
    tag: NotRequired[str | None]
    """The first of `tags`. Another one replaces the first; null removes all of them. At most 255 characters."""
    tags: NotRequired[list[str] | None]
    """Up to 20 tags to group and filter links by. `tag` is the first of them."""
    archived: NotRequired[bool | None]
    """Hidden from the lists of the dashboard. The link still redirects."""
    starts_at: NotRequired[str | None]
    """When the link starts to redirect; before that it returns 404. `YYYY-MM-DD` means the start of that day, UTC; an ISO 8601 time is exact."""
    expire: NotRequired[str | None]
    """When the link expires. `YYYY-MM-DD` means the end of that day, UTC; an ISO 8601 time is exact."""
    domain: NotRequired[str | None]
    """The domain that serves the link. Default: the host of this instance. At most 255 characters."""
    password: NotRequired[str | None]
    """Visitors must enter this password before they are redirected. At most 256 characters."""
    max_clicks: NotRequired[int | None]
    """Click limit: after this many clicks the link returns 410."""
    ios_url: NotRequired[str | None]
    """Destination for iPhones and iPads. At most 2048 characters."""
    android_url: NotRequired[str | None]
    """Destination for Android devices. At most 2048 characters."""
    redirect: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect: 301, 302, 307 or 308. Default 302."""
    forward_query: NotRequired[bool | None]
    """Whether the query parameters of the short link are added to the destination. Parameters of the destination take precedence."""
    forward_path: NotRequired[bool | None]
    """Whether a path after the short link is added to the destination: `/{code}/a/b` leads to the path of the destination followed by `/a/b`. Without it such a path returns 404."""
    rules: NotRequired[list[LinkRule] | None]
    """Up to 20 rules, in order. The first one that matches decides the destination; `ios_url` and `android_url` act as two more at the end."""
    variants: NotRequired[list[LinkVariantInput] | None]
    """Two to five destinations that share the visitors by weight and replace `link`. A visitor always sees the same one."""
    preview: NotRequired[LinkPreviewInput | None]
    """What apps such as Slack, WhatsApp or LinkedIn show when the short link is shared. Their preview fetchers get a page with these texts and the picture; everyone else is redirected. Null: no card."""
    customLink: NotRequired[str | None]
    """A custom short code: 1 to 64 letters, digits, hyphens or underscores. On edit it renames the link, and the old short code keeps working."""
    reuse: NotRequired[bool | None]
    """Returns, with status 200, the oldest active link of the account to the same destination on the same domain that has no other settings and does not belong to another resource; creates one if there is none. Only `link` and `domain` can be sent with it."""


class LinkEdit(TypedDict):
    """Changes to a short link. Omitted fields do not change."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    link: str
    """The destination: an http or https URL. At most 2048 characters."""
    title: NotRequired[str | None]
    """A name for the link in lists; visitors do not see it. At most 255 characters."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 2048 characters."""
    tag: NotRequired[str | None]
    """The first of `tags`. Another one replaces the first; null removes all of them. At most 255 characters."""
    tags: NotRequired[list[str] | None]
    """Up to 20 tags to group and filter links by. `tag` is the first of them."""
    archived: NotRequired[bool | None]
    """Hidden from the lists of the dashboard. The link still redirects."""
    starts_at: NotRequired[str | None]
    """When the link starts to redirect; before that it returns 404. `YYYY-MM-DD` means the start of that day, UTC; an ISO 8601 time is exact."""
    expire: NotRequired[str | None]
    """When the link expires. `YYYY-MM-DD` means the end of that day, UTC; an ISO 8601 time is exact."""
    domain: NotRequired[str | None]
    """The domain that serves the link. Default: the host of this instance. At most 255 characters."""
    password: NotRequired[str | None]
    """Visitors must enter this password before they are redirected. At most 256 characters."""
    max_clicks: NotRequired[int | None]
    """Click limit: after this many clicks the link returns 410."""
    ios_url: NotRequired[str | None]
    """Destination for iPhones and iPads. At most 2048 characters."""
    android_url: NotRequired[str | None]
    """Destination for Android devices. At most 2048 characters."""
    redirect: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect: 301, 302, 307 or 308. Default 302."""
    forward_query: NotRequired[bool | None]
    """Whether the query parameters of the short link are added to the destination. Parameters of the destination take precedence."""
    forward_path: NotRequired[bool | None]
    """Whether a path after the short link is added to the destination: `/{code}/a/b` leads to the path of the destination followed by `/a/b`. Without it such a path returns 404."""
    rules: NotRequired[list[LinkRule] | None]
    """Up to 20 rules, in order. The first one that matches decides the destination; `ios_url` and `android_url` act as two more at the end."""
    variants: NotRequired[list[LinkVariantInput] | None]
    """Two to five destinations that share the visitors by weight and replace `link`. A visitor always sees the same one."""
    preview: NotRequired[LinkPreviewInput | None]
    """What apps such as Slack, WhatsApp or LinkedIn show when the short link is shared. Their preview fetchers get a page with these texts and the picture; everyone else is redirected. Null: no card."""
    customLink: NotRequired[str | None]
    """A custom short code: 1 to 64 letters, digits, hyphens or underscores. On edit it renames the link, and the old short code keeps working."""


class LinkOwner(TypedDict):
    """The resource that a short link belongs to."""

    type: Literal["page", "qrcode", "barcode", "utm"]
    """The kind of resource."""
    uuid: str
    """The `uuid` of that resource."""


class LinkPreview(TypedDict):
    """What apps show when the short link is shared."""

    title: str | None
    """Title of the card. Default: the short link."""
    description: str | None
    """Text below the title."""
    image: str | None
    """URL of the uploaded picture (JPEG); null if the picture is drawn from the text."""


class LinkPreviewInput(TypedDict):
    """What apps show when the short link is shared. On edit, omitted fields do not change."""

    title: NotRequired[str | None]
    """Title of the card. Default: the short link. At most 2048 characters."""
    description: NotRequired[str | None]
    """Text below the title. At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """Picture of the card: an upload of at most 2048 KB, as part `preview[image]` of a multipart request. The URL that a response gave keeps the picture. Null: a picture is drawn from the title and the description."""


LinkRule = TypedDict("LinkRule", {
    "if": "LinkConditions",
    "to": "str",
})


class LinkVariant(TypedDict):
    """One of several destinations that share the visitors."""

    url: str
    """The destination: an http or https URL."""
    weight: int
    """Its share of the visitors relative to the other variants: 1 to 1000, default 1."""
    name: str
    """Name in statistics. Default: `A` for the first, `B` for the second, and so on."""


class LinkVariantInput(TypedDict):
    """One of several destinations that share the visitors."""

    url: str
    """The destination: an http or https URL. At most 2048 characters."""
    weight: NotRequired[int | None]
    """Its share of the visitors relative to the other variants: 1 to 1000, default 1."""
    name: NotRequired[str | None]
    """Name in statistics. Default: `A` for the first, `B` for the second, and so on. At most 64 characters."""


class LinkVersion(TypedDict):
    """A version of the destinations of a link."""

    version: str
    """Identifies the version; `revert-link` takes it."""
    changed_at: str
    """When the link was changed to this (ISO 8601, UTC)."""
    cause: LinkChangeCause
    """What changed it."""
    current: bool
    """Whether it is the current version."""
    link: str
    """The destination."""
    ios_url: str | None
    """Destination for iPhones and iPads."""
    android_url: str | None
    """Destination for Android devices."""
    rules: list[ReturnedLinkRule]
    """The rules."""
    variants: list[LinkVariant]
    """The variants."""
    expire: str | None
    """When the link was to expire."""
    domain: str
    """The domain that served the link."""


class ListMeta(TypedDict):
    """The position of a page in its list."""

    count: int
    """Number of items on this page."""
    total: int
    """Number of items in the whole list, after filters."""
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


class LiveClick(TypedDict):
    """A click as it arrives. An empty text means unknown."""

    clicked_at: str
    """When it happened (ISO 8601, UTC)."""
    kind: Literal["link", "page", "button", "icon"]
    """What was clicked: a short link, or on a page the page itself (a view), a button or a social icon."""
    link_uuid: str | None
    """The short link; null for a page."""
    page_uuid: str | None
    """The page; null for a short link."""
    code: str
    """The short code of the link, or the slug of the page."""
    domain: str
    """The domain of the link or page."""
    target: str | None
    """The id of the button or icon that was clicked; null otherwise."""
    country: str
    """ISO country code."""
    referrer: str
    """The host that the visitor came from."""
    device: str
    """`mobile`, `tablet` or `desktop`."""
    browser: str
    """The browser."""
    os: str
    """The operating system."""
    language: str
    """The preferred language without region, such as `fr`."""
    variant: str
    """The name of the variant that was chosen."""
    rule: str
    """The rule that matched: its place in the list from 0, or `ios`, `android`."""
    source: Literal["qr", "link"]
    """`qr` for the scan of a code, `link` otherwise."""
    bot: bool
    """Whether it was a bot or a crawler. Bots are not counted as clicks."""


class LocationContent(TypedDict):
    """A place on the map."""

    type: Literal["location"]
    """What the code is for."""
    latitude: float
    """Degrees north, -90 to 90."""
    longitude: float
    """Degrees east, -180 to 180."""


class Member(TypedDict):
    """A member of a workspace."""

    uuid: str
    """Identifies the user."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """What the member may do: `viewer`, `editor`, `admin` or `owner`."""
    created_at: str
    """When the user became a member (ISO 8601, UTC)."""


class NestedPageButtonInput(TypedDict):
    """A button of a page, or a heading between buttons, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: NotRequired[Literal["link", "heading"] | None]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NestedPageContactCardInput(TypedDict):
    """A contact card on a page, with a file to save, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: PageContactInput
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["contact"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NestedPageCreate(TypedDict):
    """A new page, in the nested structure."""

    title: str
    """Title of the page. At most 255 characters."""
    subtext: NotRequired[str | None]
    """Text below the title. At most 500 characters."""
    subtitle: NotRequired[str | None]
    """Another name of `subtext`. At most 500 characters."""
    logoText: NotRequired[str | None]
    """Text beside the logo. At most 50 characters."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: NotRequired[Upload | None]
    """The logo: an image of at most 2048 KB; in responses its URL."""
    socialAlign: NotRequired[Literal["left", "center", "right"] | None]
    """How the social icons are aligned. Default `center`."""
    topShape: NotRequired[PageTopShapeInput | None]
    """The shape at the top of the page."""
    slug: str
    """Last part of the address: letters, digits and hyphens, unique on its domain. At most 255 characters."""
    domain: str
    """The domain that serves the page. Default: the host of this instance. At most 255 characters."""
    logoStatus: Literal[0, 1]
    """1 shows the logo, 0 hides it."""
    socialIcons: NotRequired[list[NestedPageSocialIconInput] | None]
    """Links to social networks."""
    images: NotRequired[list[NestedPageImageInput | Upload] | None]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""
    buttons: NotRequired[list[NestedPageButtonInput | NestedPageTextInput | NestedPageDividerInput | NestedPageImageBlockInput | NestedPageVideoInput | NestedPageContactCardInput] | None]
    """The buttons of the page."""
    theme: NestedPageThemeInput | list[PageThemeInput]
    """Colours, borders and shadows. A list of themes is merged; later ones win."""


class NestedPageDividerInput(TypedDict):
    """A line between buttons of a page, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["divider"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NestedPageEdit(TypedDict):
    """Changes to a page, in the nested structure."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    title: str
    """Title of the page. At most 255 characters."""
    subtext: NotRequired[str | None]
    """Text below the title. At most 500 characters."""
    subtitle: NotRequired[str | None]
    """Another name of `subtext`. At most 500 characters."""
    logoText: NotRequired[str | None]
    """Text beside the logo. At most 50 characters."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: NotRequired[Upload | None]
    """The logo: an image of at most 2048 KB; in responses its URL."""
    socialAlign: NotRequired[Literal["left", "center", "right"] | None]
    """How the social icons are aligned. Default `center`."""
    topShape: NotRequired[PageTopShapeInput | None]
    """The shape at the top of the page."""
    slug: str
    """Last part of the address: letters, digits and hyphens, unique on its domain. At most 255 characters."""
    domain: str
    """The domain that serves the page. Default: the host of this instance. At most 255 characters."""
    logoStatus: Literal[0, 1]
    """1 shows the logo, 0 hides it."""
    socialIcons: NotRequired[list[NestedPageSocialIconInput] | None]
    """Links to social networks."""
    images: NotRequired[list[NestedPageImageInput | Upload] | None]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""
    buttons: NotRequired[list[NestedPageButtonInput | NestedPageTextInput | NestedPageDividerInput | NestedPageImageBlockInput | NestedPageVideoInput | NestedPageContactCardInput] | None]
    """The buttons of the page."""
    theme: NestedPageThemeInput | list[PageThemeInput]
    """Colours, borders and shadows. A list of themes is merged; later ones win."""
    draft: NotRequired[bool | None]
    """True saves the changes as a draft until an edit with `publish`. False, without any other field, discards the draft."""
    publish: NotRequired[bool | None]
    """True publishes the draft together with the changes of this request, if any."""


class NestedPageImageBlockInput(TypedDict):
    """An image between buttons of a page, which may lead somewhere, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: str | Upload
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["image"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NestedPageImageInput(TypedDict):
    """An image of a page in the nested structure."""

    id: int
    """Identifies the image on this page."""
    src: str
    """URL of the image. At most 2048 characters."""
    status: Literal[0, 1]
    """1 shows the image, 0 hides it."""
    title: NotRequired[str | None]
    """Text for visitors who cannot see the image. At most 2048 characters."""


class NestedPageSocialIconInput(TypedDict):
    """A social icon of a page in the nested structure."""

    icon: NotRequired[str]
    """Another name of `name`. At most 50 characters."""
    name: NotRequired[str]
    """The network. At most 50 characters."""
    link: NotRequired[str | None]
    """Where the icon leads. At most 2048 characters."""
    bg: NotRequired[Literal[""] | None | str | None]
    """Background colour of the icon."""


class NestedPageTextInput(TypedDict):
    """A text between buttons of a page, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["text"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NestedPageThemeInput(TypedDict):
    """The theme of a page in the nested structure."""

    bgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour."""
    textColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the title."""
    subTextColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the text below the title."""
    buttonBgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour of the buttons."""
    buttonTextColor: NotRequired[Literal[""] | None | str | None]
    """Text colour of the buttons."""
    logoBgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour of the logo."""
    borderWidth: NotRequired[str | None]
    """Border width of the buttons (CSS length). At most 2048 characters."""
    borderColor: NotRequired[Literal[""] | None | str | None]
    """Border colour of the buttons."""
    borderRadius: NotRequired[str | None]
    """Corner radius of the buttons (CSS length). At most 2048 characters."""
    boxShadow: NotRequired[str | None]
    """Shadow of the buttons (CSS `box-shadow`). At most 2048 characters."""
    socialIconColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the social icons."""
    font: NotRequired[Literal["overpass", "overpass-mono", "serif", "rounded"] | None]
    """The font: `overpass` and `overpass-mono` are served with the page, `serif` and `rounded` are fonts of the visitor’s system. Null: the sans serif of the system."""
    bg: NotRequired[Literal[""] | None | str | None]
    """Another name of `bgColor`."""
    text: NotRequired[Literal[""] | None | str | None]
    """Another name of `textColor`."""
    subtext: NotRequired[Literal[""] | None | str | None]
    """Another name of `subTextColor`."""
    buttonBg: NotRequired[Literal[""] | None | str | None]
    """Another name of `buttonBgColor`."""
    buttonText: NotRequired[Literal[""] | None | str | None]
    """Another name of `buttonTextColor`."""
    logoBg: NotRequired[Literal[""] | None | str | None]
    """Another name of `logoBgColor`."""
    socialColor: NotRequired[Literal[""] | None | str | None]
    """Another name of `socialIconColor`."""
    bodyBg: NotRequired[Literal[""] | None | str | None]
    """Colour around the page."""
    bggradient: list[Literal[""] | None | str | None]
    """Start and end colour of the background gradient."""


class NestedPageVideoInput(TypedDict):
    """A picture on a page that leads to a video, in the nested structure."""

    id: int
    """Identifies the button on this page."""
    status: Literal[0, 1]
    """1 shows the button, 0 hides it."""
    url: str
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["video"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class NewAccessToken(TypedDict):
    """A new access token."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    name: str | None
    """A name for yourself, such as the program that uses the token."""
    scopes: list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    expires_at: str | None
    """When it stops working (`YYYY-MM-DD` or ISO 8601), at most 366 days from now. Default: 90 days. `never`: no end."""
    allowed_addresses: list[str] | None
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""
    created_by: str | None
    """The `uuid` of the user who created it; it never may do more than this user. Null if it was kept when that user was removed from the workspace: it then has the role that the user had."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC)."""
    token: str
    """The token (`wmt_…`), sent as `Authorization: Bearer wmt_…`. Shown this once."""


class NewApiKey(TypedDict):
    """A new API key with its secret."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    api_key: str
    """The key (`wm_…`), sent as `X-API-KEY`. It is public."""
    name: str | None
    """A name for yourself, such as the program that uses the key."""
    scope: Literal["read", "write"]
    """`write`: everything (the default). `read`: writes return 403. Not together with `scopes`."""
    signature_required: bool
    """Whether requests without a signature return 401, those of key-only operations too. Default false."""
    scopes: list[Literal["links:read", "links:write", "codes:read", "codes:write", "pages:read", "pages:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "webhooks:read", "webhooks:write", "account:read", "account:write"]] | None
    """What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do."""
    expires_at: str | None
    """When it stops working (ISO 8601, UTC); null: never."""
    allowed_addresses: list[str] | None
    """IP addresses and CIDR ranges that may use it, at most 20; null: every address."""
    created_by: str | None
    """The `uuid` of the user who created it; it never may do more than this user. Null if it was kept when that user was removed from the workspace: it then has the role that the user had."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC)."""
    secret: str
    """Signs requests (`wms_…`). Shown this once."""


class NewInvitation(TypedDict):
    """A new invitation with its link."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    email: str
    """The address that was invited."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """The role that the new member gets."""
    created_by: str | None
    """The `uuid` of the user who invited; null if a key without a user did."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    expires_at: str
    """Until when the link works (ISO 8601, UTC)."""
    invite_url: str
    """The link to accept with. It works once. Shown this once."""


class NewWebhook(TypedDict):
    """A new webhook with its secret."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    url: str
    """Where deliveries are sent: an http or https URL."""
    description: str | None
    """A note for yourself."""
    events: list[Literal["link.created", "link.edited", "link.removed", "link.restored", "qrcode.created", "qrcode.edited", "qrcode.removed", "qrcode.restored", "barcode.created", "barcode.edited", "barcode.removed", "barcode.restored", "page.created", "page.edited", "page.removed", "page.restored", "utm.created", "utm.edited", "utm.removed", "utm.restored", "link.clicked"]] | None
    """The events to deliver; null means all except `link.clicked`."""
    enabled: bool
    """Whether events are delivered."""
    disabled_reason: str | None
    """Why the server disabled it, or null."""
    failing_since: str | None
    """Since when all deliveries have failed (ISO 8601, UTC), or null."""
    previous_secret_expires_at: str | None
    """Until when deliveries are also signed with the previous secret (ISO 8601, UTC), or null."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""
    secret: str
    """Signs the deliveries (`whsec_…`). Shown only once."""


class Page(TypedDict):
    """A custom page with its short link and QR code."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    title: str
    """Title of the page."""
    subtext: str | None
    """Text below the title."""
    subtitle: str | None
    """Another name of `subtext`."""
    slug: str
    """Last part of the address: letters, digits and hyphens, unique on its domain."""
    domain: str
    """The domain that serves the page. Default: the host of this instance."""
    logoText: str | None
    """Text beside the logo."""
    logoStatus: int
    """1 shows the logo, 0 hides it."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: str | None
    """The logo: an image of at most 2048 KB; in responses its URL."""
    theme: PageTheme
    """Colours, borders and shadows. A list of themes is merged; later ones win."""
    topShape: PageTopShape
    """The shape at the top of the page."""
    socialAlign: Literal["left", "center", "right"]
    """How the social icons are aligned. Default `center`."""
    socialIcons: list[PageSocialIcon]
    """Links to social networks."""
    images: list[PageImage]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""
    buttons: list[PageButton]
    """The buttons of the page."""
    unpublished: PageDraft | None
    """The draft: the fields of the page as they will be once it is published. Null without a draft."""
    conflicts: list[str]
    """Fields that the draft changes and that were changed on the published page after the draft began, such as `title`. Publishing the draft replaces what is published of them. Fields that the draft leaves as they are follow the published page."""
    page_url: str
    """Address of the page."""
    short_link: Link
    """The short link of the page."""
    qr_code: QrCode
    """The QR code of the short link."""
    views: int
    """How often the page was viewed, without bots."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class PageButton(TypedDict):
    """A button of a page, or another block among the buttons."""

    id: int
    """Identifies the button on this page."""
    status: int
    """1 shows the button, 0 hides it."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact."""
    url: str | None
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https)."""
    type: Literal["link", "heading", "text", "divider", "image", "video", "contact"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""
    image: str | None
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: PageContact | None
    """The contact of a button of type `contact`."""


class PageButtonInput(TypedDict):
    """A button of a page, or a heading between buttons."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: NotRequired[Literal["link", "heading"] | None]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class PageContact(TypedDict):
    """A contact of a page."""

    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name. A contact needs a first name, a last name or an organisation."""
    organisation: str | None
    """Company or organisation."""
    title: str | None
    """Job title."""
    phone: str | None
    """Phone number at work."""
    mobile: str | None
    """Mobile phone number."""
    email: str | None
    """Email address."""
    website: str | None
    """An http or https URL."""
    street: str | None
    """Street and house number."""
    city: str | None
    """City."""
    postcode: str | None
    """Postal code."""
    country: str | None
    """Country."""
    note: str | None
    """A note."""


class PageContactCardInput(TypedDict):
    """A contact card on a page, with a file to save."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: PageContactInput
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["contact"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class PageContactInput(TypedDict):
    """A contact of a page. Visitors save it as a vCard 3.0 file."""

    first_name: NotRequired[str | None]
    """First name. At most 255 characters."""
    last_name: NotRequired[str | None]
    """Last name. A contact needs a first name, a last name or an organisation. At most 255 characters."""
    organisation: NotRequired[str | None]
    """Company or organisation. At most 255 characters."""
    title: NotRequired[str | None]
    """Job title. At most 255 characters."""
    phone: NotRequired[str | None]
    """Phone number at work. At most 40 characters."""
    mobile: NotRequired[str | None]
    """Mobile phone number. At most 40 characters."""
    email: NotRequired[str | None]
    """Email address. At most 254 characters."""
    website: NotRequired[str | None]
    """An http or https URL. At most 2048 characters."""
    street: NotRequired[str | None]
    """Street and house number. At most 255 characters."""
    city: NotRequired[str | None]
    """City. At most 255 characters."""
    postcode: NotRequired[str | None]
    """Postal code. At most 40 characters."""
    country: NotRequired[str | None]
    """Country. At most 255 characters."""
    note: NotRequired[str | None]
    """A note. At most 4000 characters."""


class PageCreate(TypedDict):
    """A new page, in the fields of the form schema."""

    title: str
    """Title of the page. At most 255 characters."""
    subtext: NotRequired[str | None]
    """Text below the title. At most 500 characters."""
    subtitle: NotRequired[str | None]
    """Another name of `subtext`. At most 500 characters."""
    logoText: NotRequired[str | None]
    """Text beside the logo. At most 50 characters."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: NotRequired[Upload | None]
    """The logo: an image of at most 2048 KB; in responses its URL."""
    socialAlign: NotRequired[Literal["left", "center", "right"] | None]
    """How the social icons are aligned. Default `center`."""
    topShape: NotRequired[PageTopShapeInput | None]
    """The shape at the top of the page."""
    domain: NotRequired[str | None]
    """The domain that serves the page. Default: the host of this instance. At most 255 characters."""
    logoStatus: NotRequired[Literal[0, 1] | None]
    """1 shows the logo, 0 hides it."""
    socialIcons: NotRequired[list[PageSocialIconInput] | None]
    """Links to social networks."""
    buttons: list[PageButtonInput | PageTextInput | PageDividerInput | PageImageBlockInput | PageVideoInput | PageContactCardInput]
    """The buttons of the page."""
    theme: NotRequired[PageThemeInput | None | list[PageThemeInput] | None]
    """Colours, borders and shadows. A list of themes is merged; later ones win."""
    slug: str
    """Last part of the address: letters, digits and hyphens, unique on its domain. At most 255 characters."""
    images: list[PageImageInput | Upload]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""


class PageDiscard(TypedDict):
    """Discards the draft of a page."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    draft: Literal[False]
    """True saves the changes as a draft until an edit with `publish`. False, without any other field, discards the draft."""


class PageDividerInput(TypedDict):
    """A line between buttons of a page."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["divider"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class PageDraft(TypedDict):
    """The fields of a page as they will be once its draft is published."""

    title: str
    """Title of the page."""
    subtext: str | None
    """Text below the title."""
    subtitle: str | None
    """Another name of `subtext`."""
    slug: str
    """Last part of the address: letters, digits and hyphens, unique on its domain."""
    domain: str
    """The domain that serves the page. Default: the host of this instance."""
    logoText: str | None
    """Text beside the logo."""
    logoStatus: int
    """1 shows the logo, 0 hides it."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: str | None
    """The logo: an image of at most 2048 KB; in responses its URL."""
    theme: PageTheme
    """Colours, borders and shadows. A list of themes is merged; later ones win."""
    topShape: PageTopShape
    """The shape at the top of the page."""
    socialAlign: Literal["left", "center", "right"]
    """How the social icons are aligned. Default `center`."""
    socialIcons: list[PageSocialIcon]
    """Links to social networks."""
    images: list[PageImage]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""
    buttons: list[PageButton]
    """The buttons of the page."""


class PageEdit(TypedDict):
    """Changes to a page, in the fields of the form schema."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    title: str
    """Title of the page. At most 255 characters."""
    subtext: NotRequired[str | None]
    """Text below the title. At most 500 characters."""
    subtitle: NotRequired[str | None]
    """Another name of `subtext`. At most 500 characters."""
    logoText: NotRequired[str | None]
    """Text beside the logo. At most 50 characters."""
    logoPosition: Literal["top-left", "top-right", "top-center", "bottom-left", "bottom-right"]
    """Position of the logo."""
    logo: NotRequired[Upload | None]
    """The logo: an image of at most 2048 KB; in responses its URL."""
    socialAlign: NotRequired[Literal["left", "center", "right"] | None]
    """How the social icons are aligned. Default `center`."""
    topShape: NotRequired[PageTopShapeInput | None]
    """The shape at the top of the page."""
    domain: NotRequired[str | None]
    """The domain that serves the page. Default: the host of this instance. At most 255 characters."""
    logoStatus: NotRequired[Literal[0, 1] | None]
    """1 shows the logo, 0 hides it."""
    socialIcons: NotRequired[list[PageSocialIconInput] | None]
    """Links to social networks."""
    buttons: list[PageButtonInput | PageTextInput | PageDividerInput | PageImageBlockInput | PageVideoInput | PageContactCardInput]
    """The buttons of the page."""
    theme: NotRequired[PageThemeInput | None | list[PageThemeInput] | None]
    """Colours, borders and shadows. A list of themes is merged; later ones win."""
    slug: NotRequired[str | None]
    """Last part of the address: letters, digits and hyphens, unique on its domain. At most 255 characters."""
    images: NotRequired[list[PageImageInput | Upload] | None]
    """Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most."""
    draft: NotRequired[bool | None]
    """True saves the changes as a draft until an edit with `publish`. False, without any other field, discards the draft."""
    publish: NotRequired[bool | None]
    """True publishes the draft together with the changes of this request, if any."""


class PageImage(TypedDict):
    """An image of a page."""

    id: int
    """Identifies the image on this page."""
    src: str
    """URL of the image."""
    status: int
    """1 shows the image, 0 hides it."""
    title: str | None
    """Text for visitors who cannot see the image."""


class PageImageBlockInput(TypedDict):
    """An image between buttons of a page, which may lead somewhere."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: str | Upload
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: NotRequired[str | None]
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["image"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class PageImageInput(TypedDict):
    """An image of a page that has an address."""

    id: NotRequired[int | None]
    """Identifies the image on this page."""
    src: NotRequired[str | None]
    """URL of the image. At most 2048 characters."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the image, 0 hides it."""
    title: NotRequired[str | None]
    """Text for visitors who cannot see the image. At most 2048 characters."""


class PagePublish(TypedDict):
    """Publishes the draft of a page as it is."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    publish: Literal[True]
    """True publishes the draft together with the changes of this request, if any."""


class PageSocialIcon(TypedDict):
    """A social icon of a page."""

    name: str
    """The network."""
    icon: str
    """Another name of `name`."""
    link: str | None
    """Where the icon leads."""
    bg: str | None
    """Background colour of the icon."""


class PageSocialIconInput(TypedDict):
    """A social icon of a page."""

    name: NotRequired[Literal["facebook", "instagram", "whatsapp", "twitter", "youtube"]]
    """The network."""
    icon: NotRequired[Literal["facebook", "instagram", "whatsapp", "twitter", "youtube"]]
    """Another name of `name`."""
    link: NotRequired[str | None]
    """Where the icon leads. At most 2048 characters."""
    bg: NotRequired[Literal[""] | None | str | None]
    """Background colour of the icon."""


class PageTextInput(TypedDict):
    """A text between buttons of a page."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: NotRequired[str | None]
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["text"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class PageTheme(TypedDict):
    """The theme of a page. Each value is returned under both names."""

    bgColor: str | None
    """Background colour."""
    bg: str | None
    """Another name of `bgColor`."""
    textColor: str | None
    """Colour of the title."""
    text: str | None
    """Another name of `textColor`."""
    subTextColor: str | None
    """Colour of the text below the title."""
    subtext: str | None
    """Another name of `subTextColor`."""
    buttonBgColor: str | None
    """Background colour of the buttons."""
    buttonBg: str | None
    """Another name of `buttonBgColor`."""
    buttonTextColor: str | None
    """Text colour of the buttons."""
    buttonText: str | None
    """Another name of `buttonTextColor`."""
    logoBgColor: str | None
    """Background colour of the logo."""
    logoBg: str | None
    """Another name of `logoBgColor`."""
    socialIconColor: str | None
    """Colour of the social icons."""
    socialColor: str | None
    """Another name of `socialIconColor`."""
    borderWidth: str | None
    """Border width of the buttons (CSS length)."""
    borderColor: str | None
    """Border colour of the buttons."""
    borderRadius: str | None
    """Corner radius of the buttons (CSS length)."""
    boxShadow: str | None
    """Shadow of the buttons (CSS `box-shadow`)."""
    font: Literal["overpass", "overpass-mono", "serif", "rounded"] | None
    """The font: `overpass` and `overpass-mono` are served with the page, `serif` and `rounded` are fonts of the visitor’s system. Null: the sans serif of the system."""
    bodyBg: str | None
    """Colour around the page."""
    bggradient: list[str | None] | None
    """Start and end colour of the background gradient."""


class PageThemeInput(TypedDict):
    """The theme of a page."""

    bgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour."""
    textColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the title."""
    subTextColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the text below the title."""
    buttonBgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour of the buttons."""
    buttonTextColor: NotRequired[Literal[""] | None | str | None]
    """Text colour of the buttons."""
    logoBgColor: NotRequired[Literal[""] | None | str | None]
    """Background colour of the logo."""
    borderWidth: NotRequired[str | None]
    """Border width of the buttons (CSS length). At most 2048 characters."""
    borderColor: NotRequired[Literal[""] | None | str | None]
    """Border colour of the buttons."""
    borderRadius: NotRequired[str | None]
    """Corner radius of the buttons (CSS length). At most 2048 characters."""
    boxShadow: NotRequired[str | None]
    """Shadow of the buttons (CSS `box-shadow`). At most 2048 characters."""
    socialIconColor: NotRequired[Literal[""] | None | str | None]
    """Colour of the social icons."""
    font: NotRequired[Literal["overpass", "overpass-mono", "serif", "rounded"] | None]
    """The font: `overpass` and `overpass-mono` are served with the page, `serif` and `rounded` are fonts of the visitor’s system. Null: the sans serif of the system."""
    bg: NotRequired[Literal[""] | None | str | None]
    """Another name of `bgColor`."""
    text: NotRequired[Literal[""] | None | str | None]
    """Another name of `textColor`."""
    subtext: NotRequired[Literal[""] | None | str | None]
    """Another name of `subTextColor`."""
    buttonBg: NotRequired[Literal[""] | None | str | None]
    """Another name of `buttonBgColor`."""
    buttonText: NotRequired[Literal[""] | None | str | None]
    """Another name of `buttonTextColor`."""
    logoBg: NotRequired[Literal[""] | None | str | None]
    """Another name of `logoBgColor`."""
    socialColor: NotRequired[Literal[""] | None | str | None]
    """Another name of `socialIconColor`."""
    bodyBg: NotRequired[Literal[""] | None | str | None]
    """Colour around the page."""
    bggradient: NotRequired[list[Literal[""] | None | str | None] | None]
    """Start and end colour of the background gradient."""


class PageTopShape(TypedDict):
    """The shape at the top of a page."""

    color: str | None
    """Colour of the shape."""
    height: int | None
    """Height of the shape in pixels."""
    clip: str | None
    """Outline of the shape (CSS `clip-path`)."""


class PageTopShapeInput(TypedDict):
    """The shape at the top of a page."""

    color: NotRequired[Literal[""] | None | str | None]
    """Colour of the shape."""
    height: NotRequired[int | None]
    """Height of the shape in pixels."""
    clip: NotRequired[str | None]
    """Outline of the shape (CSS `clip-path`). At most 2048 characters."""


class PageVideoInput(TypedDict):
    """A picture on a page that leads to a video."""

    id: NotRequired[int | None]
    """Identifies the button on this page."""
    status: NotRequired[Literal[0, 1] | None]
    """1 shows the button, 0 hides it."""
    url: str
    """Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https). At most 2048 characters."""
    image: NotRequired[str | None | Upload | None]
    """A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one."""
    contact: NotRequired[PageContactInput | None]
    """The contact of a button of type `contact`."""
    label: str
    """Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact. At most 255 characters."""
    type: Literal["video"]
    """`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save)."""


class Passkey(TypedDict):
    """A passkey of the user."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    name: str
    """What the user calls it."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str | None
    """When it was last used (ISO 8601, UTC), or null."""


class PasskeySignInOptionsInput(TypedDict):
    """PasskeySignInOptionsInput"""

    challenge: NotRequired[str | None]
    """The challenge of a sign-in that needs a second factor; without it, of a sign-in by passkey alone. At most 256 characters."""


class PasswordChange(TypedDict):
    """A change of the password."""

    old_password: str
    """The current password. At most 256 characters."""
    password: str
    """The new password: at least 8 characters with lower case, upper case, a digit and a symbol. At most 256 characters."""
    confirm_password: str
    """The new password again. At most 256 characters."""


class PhoneContent(TypedDict):
    """A phone number to call."""

    type: Literal["phone"]
    """What the code is for."""
    number: str
    """Phone number, such as `+441632960001`. At most 40 characters."""


class Plan(TypedDict):
    """The plan of an account, its limits and their usage."""

    name: str
    """Name of the plan."""
    price: int
    """Price per interval, in the smallest unit of the currency."""
    currency: str
    """ISO 4217 code of the currency."""
    interval: Literal["month", "year"]
    """How often the plan renews."""
    started_at: str
    """When the current period began (ISO 8601, UTC)."""
    renews_at: str
    """When the current period ends (ISO 8601, UTC)."""
    limits: dict[str, int | None]
    """How many of each resource the plan allows; null means no limit."""
    usage: dict[str, int]
    """How many of each resource exist."""


PreviousClicks = TypedDict("PreviousClicks", {
    "from": "str",
    "to": "str",
    "totals": "ClickCounts",
    "series": "list[ClickPoint]",
})


class Profile(TypedDict):
    """The profile of an account."""

    email: str
    """The email address that signs in."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    phone: str | None
    """Phone number, 10 to 20 characters."""
    address: str | None
    """Postal address, as invoices show it."""
    image: str | None
    """The picture of the profile: an image of at most 2048 KB; in responses its URL."""


class ProfileEdit(TypedDict):
    """Changes to the profile. Omitted fields do not change."""

    first_name: NotRequired[str | None]
    """First name. At most 2048 characters."""
    last_name: NotRequired[str | None]
    """Last name. At most 2048 characters."""
    phone: NotRequired[str | None]
    """Phone number, 10 to 20 characters. At most 20 characters."""
    address: NotRequired[str | None]
    """Postal address, as invoices show it. At most 2048 characters."""
    image: NotRequired[Upload | None]
    """The picture of the profile: an image of at most 2048 KB; in responses its URL."""
    profile: NotRequired[Upload | None]
    """Another name of `image`."""


class QrCode(TypedDict):
    """A QR code."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    url: str | None
    """The destination of the code; null if it encodes a `content`."""
    content: QrContent | None
    """What the code encodes instead of `url`: a Wi-Fi network, a contact, an event, an email, a text message, a phone number, a place, a text or a SEPA transfer. With the key alone responses show its `type` only."""
    description: str | None
    """A note for yourself; visitors do not see it."""
    size: int
    """Width and height in pixels, 200 to 500. Default 300."""
    color: str
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: str
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    pattern: Literal["squares", "dots"]
    """How the modules are drawn."""
    style: Literal["rounded", "classy", "diamond", "bars"] | None
    """A further shape of the modules, instead of `pattern`."""
    eye_style: Literal["square", "rounded", "circle"]
    """Shape of the three corner squares. Default `square`."""
    frame: str | None
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide."""
    frame_font: Literal["sans", "serif", "mono"]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""
    logo: str | None
    """A picture in the middle of the code: PNG or JPEG, at most 2048 KB."""
    background: str
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    margin: int
    """Width of the quiet zone in modules, 0 to 20. Default 4."""
    dynamic: bool
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""
    encodes: str | None
    """The exact text inside the code. Null without a signature if the code encodes a `content`."""
    short_url: str | None
    """The short link of a code that is or was dynamic; it works until the code is removed. Null if there never was one."""
    image_url: str
    """The picture as PNG."""
    svg_url: str
    """The picture as SVG."""
    scans: int
    """Clicks on the short link, without bots."""
    warnings: list[str]
    """Possible problems with scanning the code, one sentence each."""
    grade: CodeGrade | None
    """How well the code is read: twelve fixed degradations of its picture, each read by two decoders. Null on codes from before grades, until they are edited."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class QrCodeCreate(TypedDict):
    """A new QR code of a URL."""

    url: str
    """The destination of the code; null if it encodes a `content`. At most 2048 characters."""
    content: NotRequired[None]
    """What the code encodes instead of `url`: a Wi-Fi network, a contact, an event, an email, a text message, a phone number, a place, a text or a SEPA transfer. With the key alone responses show its `type` only."""
    pattern: Literal["squares", "dots"]
    """How the modules are drawn."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 2048 characters."""
    size: NotRequired[int | None]
    """Width and height in pixels, 200 to 500. Default 300."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: NotRequired[str | None]
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    style: NotRequired[Literal["rounded", "classy", "diamond", "bars"] | None]
    """A further shape of the modules, instead of `pattern`."""
    eye_style: NotRequired[Literal["square", "rounded", "circle"] | None]
    """Shape of the three corner squares. Default `square`."""
    frame: NotRequired[str | None]
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide. At most 50 characters."""
    frame_font: NotRequired[Literal["sans", "serif", "mono"] | None]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""
    logo: NotRequired[Upload | None]
    """A picture in the middle of the code: PNG or JPEG, at most 2048 KB."""
    background: NotRequired[str | None]
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    margin: NotRequired[int | None]
    """Width of the quiet zone in modules, 0 to 20. Default 4."""
    dynamic: NotRequired[bool | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""


class QrCodeEdit(TypedDict):
    """Changes to a QR code. Omitted fields do not change."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    url: NotRequired[str | None]
    """The destination of the code; null if it encodes a `content`. At most 2048 characters."""
    content: NotRequired[WifiContent | None | ContactContent | None | EventContent | None | EmailContent | None | SmsContent | None | PhoneContent | None | LocationContent | None | TextContent | None | SepaContent | None]
    """What the code encodes instead of `url`: a Wi-Fi network, a contact, an event, an email, a text message, a phone number, a place, a text or a SEPA transfer. With the key alone responses show its `type` only."""
    pattern: NotRequired[Literal["squares", "dots"] | None]
    """How the modules are drawn."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 2048 characters."""
    size: NotRequired[int | None]
    """Width and height in pixels, 200 to 500. Default 300."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    eye_color: NotRequired[str | None]
    """Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`."""
    style: NotRequired[Literal["rounded", "classy", "diamond", "bars"] | None]
    """A further shape of the modules, instead of `pattern`."""
    eye_style: NotRequired[Literal["square", "rounded", "circle"] | None]
    """Shape of the three corner squares. Default `square`."""
    frame: NotRequired[str | None]
    """A caption in a frame around the code, at most 50 characters. The picture is then higher than wide. At most 50 characters."""
    frame_font: NotRequired[Literal["sans", "serif", "mono"] | None]
    """Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`."""
    logo: NotRequired[Upload | None]
    """A picture in the middle of the code: PNG or JPEG, at most 2048 KB."""
    background: NotRequired[str | None]
    """Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`."""
    margin: NotRequired[int | None]
    """Width of the quiet zone in modules, 0 to 20. Default 4."""
    dynamic: NotRequired[bool | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""


class QrContent(TypedDict):
    """The content of a QR code instead of a URL. With the key alone only `type` is shown."""

    type: Literal["wifi", "contact", "event", "email", "sms", "phone", "location", "text", "sepa"]
    """What the code is for."""
    ssid: NotRequired[str]
    """Name of the network: 1 to 32 bytes of UTF-8."""
    password: NotRequired[str]
    """Password of the network. WPA: 8 to 63 characters, or 64 hexadecimal digits."""
    first_name: NotRequired[str]
    """First name."""
    last_name: NotRequired[str]
    """Last name. A contact needs a first name, a last name or an organisation."""
    organisation: NotRequired[str]
    """Company or organisation."""
    title: NotRequired[str]
    """Of a contact: the job title. Of an event: what it is called."""
    phone: NotRequired[str]
    """Phone number at work."""
    mobile: NotRequired[str]
    """Mobile phone number."""
    email: NotRequired[str]
    """Email address."""
    website: NotRequired[str]
    """An http or https URL."""
    street: NotRequired[str]
    """Street and house number."""
    city: NotRequired[str]
    """City."""
    postcode: NotRequired[str]
    """Postal code."""
    country: NotRequired[str]
    """Country."""
    note: NotRequired[str]
    """A note."""
    starts_at: NotRequired[str]
    """When the event begins: a day (`YYYY-MM-DD`) or an ISO 8601 time, UTC unless it has an offset."""
    ends_at: NotRequired[str]
    """When it ends, in the form of `starts_at`. A day is the last day of the event."""
    location: NotRequired[str]
    """Where the event takes place."""
    description: NotRequired[str]
    """What the event is about."""
    to: NotRequired[str]
    """Email address of the recipient."""
    subject: NotRequired[str]
    """Subject of the email."""
    body: NotRequired[str]
    """Text of the email."""
    number: NotRequired[str]
    """Phone number, such as `+441632960001`."""
    message: NotRequired[str]
    """Text of the message."""
    text: NotRequired[str]
    """Of a text: what the code says. Of a SEPA transfer: the remittance text, at most 140 characters."""
    name: NotRequired[str]
    """Name of the recipient, at most 70 characters."""
    iban: NotRequired[str]
    """IBAN of the recipient."""
    bic: NotRequired[str]
    """BIC of the bank, 8 or 11 characters. Not needed within the European Economic Area."""
    reference: NotRequired[str]
    """The creditor's structured reference (ISO 11649), instead of `text`."""
    security: NotRequired[Literal["WPA", "WEP", "none"]]
    """`WPA` (WPA, WPA2 and WPA3), `WEP` or `none`. Default: `WPA` with a password, else `none`."""
    hidden: NotRequired[bool]
    """Whether the network does not announce its name. Default false."""
    latitude: NotRequired[float]
    """Degrees north, -90 to 90."""
    longitude: NotRequired[float]
    """Degrees east, -180 to 180."""
    amount: NotRequired[float]
    """Amount in euros, 0.01 to 999999999.99. Without one the payer enters it."""


class ReauthenticateInput(TypedDict):
    """ReauthenticateInput"""

    password: NotRequired[str | None]
    """The current password of the account. At most 256 characters."""
    code: NotRequired[str | None]
    """The code that the authenticator app shows, or a recovery code. At most 64 characters."""
    passkey: NotRequired[dict[str, Any] | None]
    """The response of the authenticator: the JSON form of what `navigator.credentials` returns."""
    oidc: NotRequired[str | None]
    """The query of the address that the OpenID provider sent the browser back to, after `begin-oidc-proof`. At most 8192 characters."""


class RecoveryCodes(TypedDict):
    """New recovery codes. Earlier ones are no longer valid."""

    recovery_codes: list[str]
    """Ten codes. Each replaces a code of the app once. Shown this once."""


class RedeliverWebhookInput(TypedDict):
    """RedeliverWebhookInput"""

    uuid: str
    """Identifies the webhook. At most 2048 characters."""
    delivery: NotRequired[str | None]
    """The `uuid` of one delivery. At most 2048 characters."""
    since: NotRequired[str | None]
    """All deliveries of events since this time. `YYYY-MM-DD` or ISO 8601."""
    state: NotRequired[Literal["delivered", "failed"] | None]
    """With `since`: only deliveries in this state."""


class RemoveDomainInput(TypedDict):
    """RemoveDomainInput"""

    name: str
    """The host name, such as `go.example.com`. At most 253 characters."""


class RemoveIdentityInput(TypedDict):
    """RemoveIdentityInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveInvitationInput(TypedDict):
    """RemoveInvitationInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveKeyInput(TypedDict):
    """RemoveKeyInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveMany(TypedDict):
    """The resources to remove."""

    uuid: NotRequired[None]
    """The `uuid` of the resource to remove."""
    uuids: list[str]
    """Instead of `uuid`: up to 1,000 resources. All are removed, or none."""
    permanent: NotRequired[bool | None]
    """Whether to erase it at once. By default it can be restored for 30 days."""


class RemoveMemberInput(TypedDict):
    """RemoveMemberInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""
    keep_keys: NotRequired[bool | None]
    """Keep the keys and tokens that the member created. They act with the role of the member, and for no user."""


class RemoveOne(TypedDict):
    """The resource to remove."""

    uuid: str
    """The `uuid` of the resource to remove. At most 2048 characters."""
    uuids: NotRequired[None]
    """Instead of `uuid`: up to 1,000 resources. All are removed, or none."""
    permanent: NotRequired[bool | None]
    """Whether to erase it at once. By default it can be restored for 30 days."""


class RemovePasskeyInput(TypedDict):
    """RemovePasskeyInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveSessionInput(TypedDict):
    """RemoveSessionInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveTokenInput(TypedDict):
    """RemoveTokenInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RemoveTotpInput(TypedDict):
    """RemoveTotpInput"""

    pass


class RemoveWorkspaceInput(TypedDict):
    """RemoveWorkspaceInput"""

    pass


class Removed(TypedDict):
    """What was removed."""

    uuid: str
    """The `uuid` of the removed resource."""


class RemovedResources(TypedDict):
    """What was removed."""

    uuid: NotRequired[str]
    """The `uuid` of the removed resource, if the request had `uuid`."""
    uuids: NotRequired[list[str]]
    """The removed resources, if the request had `uuids`."""


class ReplaceRecoveryCodesInput(TypedDict):
    """ReplaceRecoveryCodesInput"""

    pass


class ResendConfirmationInput(TypedDict):
    """ResendConfirmationInput"""

    pass


class ResetPasswordInput(TypedDict):
    """ResetPasswordInput"""

    token: str
    """The token from the mail. At most 256 characters."""
    password: str
    """At least 8 characters with lower case, upper case, a digit and a symbol. At most 256 characters."""
    confirm_password: str
    """The password again. At most 256 characters."""
    keep_keys: NotRequired[bool | None]
    """Keep API keys and webhooks. Applies only if the address had been confirmed before the reset."""


class RestoreInput(TypedDict):
    """RestoreInput"""

    uuids: list[str]
    """The removed resources to restore, up to 1,000. All are restored, or none."""


class RestoredResources(TypedDict):
    """What was restored."""

    uuids: list[str]
    """The restored resources."""


ReturnedLinkRule = TypedDict("ReturnedLinkRule", {
    "if": "dict[str, Any]",
    "to": "str",
})


class RevertLinkInput(TypedDict):
    """RevertLinkInput"""

    uuid: str
    """Identifies the link. At most 2048 characters."""
    version: str
    """The version to restore, with its destinations, rules, variants, domain and expiry. An expiry in the past is not restored. At most 2048 characters."""


class RotateWebhookSecretInput(TypedDict):
    """RotateWebhookSecretInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class RunImportInput(TypedDict):
    """RunImportInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""
    on_taken: NotRequired[Literal["skip", "rename", "fail"] | None]
    """What to do if a short code is taken: `skip` the link, `rename` it (a random short code), or `fail` (nothing is imported). Default: `fail` for custom short codes, `rename` for random ones."""
    domain: NotRequired[str | None]
    """The domain for links whose host is not one of your domains. Default: the host of this instance for files of other services; in your own files an unknown domain is an error. At most 255 characters."""


class SecondFactorStep(TypedDict):
    """A sign-in that needs a second factor."""

    second_factor: list[Literal["totp", "passkey", "recovery"]]
    """What can complete the sign-in."""
    challenge: str
    """Identifies this sign-in in `verify-second-factor`. Valid for 5 minutes."""


class SecondFactors(TypedDict):
    """The second factors of the user."""

    password: bool
    """Whether the account has a password."""
    totp: bool
    """Whether an authenticator app is set up."""
    totp_since: str | None
    """When the authenticator app was set up (ISO 8601, UTC), or null."""
    recovery_codes_left: int
    """Recovery codes that have not been used."""
    passkeys: list[Passkey]
    """The passkeys of the user, oldest first."""
    passkeys_unavailable: str | None
    """Why this instance cannot use passkeys; null where it can."""


class SecurityEvent(TypedDict):
    """A sign-in, or a change of what gives access to the account of the caller."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    kind: Literal["sign_in", "sign_in_refused", "password_changed", "password_reset", "email_changed", "second_factor", "identity", "key_created", "token_created", "member_joined"]
    """What happened."""
    detail: str | None
    """Of `sign_in` how: `sign_up`, `password`, `passkey`, `oidc` or `link`; with a second factor, `+` and `totp`, `passkey` or `recovery`, for example `password+totp`. Otherwise a name or a sentence."""
    user_agent: str | None
    """The browser that signed in."""
    country: str | None
    """The country that its address belongs to, as ISO code."""
    count: int
    """How often: failed sign-ins are counted by the hour."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""


class SepaContent(TypedDict):
    """A SEPA credit transfer (EPC069-12)."""

    type: Literal["sepa"]
    """What the code is for."""
    name: str
    """Name of the recipient, at most 70 characters. At most 70 characters."""
    iban: str
    """IBAN of the recipient. At most 64 characters."""
    bic: NotRequired[str | None]
    """BIC of the bank, 8 or 11 characters. Not needed within the European Economic Area. At most 20 characters."""
    amount: NotRequired[float | None]
    """Amount in euros, 0.01 to 999999999.99. Without one the payer enters it."""
    reference: NotRequired[str | None]
    """The creditor's structured reference (ISO 11649), instead of `text`. At most 50 characters."""
    text: NotRequired[str | None]
    """Of a text: what the code says. Of a SEPA transfer: the remittance text, at most 140 characters. At most 140 characters."""


class Session(TypedDict):
    """A dashboard session."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    user_agent: str | None
    """The browser that signed in."""
    country: str | None
    """The country that it signed in from, as ISO code."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    last_used_at: str
    """When it was last used (ISO 8601, UTC)."""
    current: bool
    """Whether this is the session of the request."""


class SetUpIdentityInput(TypedDict):
    """SetUpIdentityInput"""

    pass


class SetUpPasskeyInput(TypedDict):
    """SetUpPasskeyInput"""

    pass


class SetUpTotpInput(TypedDict):
    """SetUpTotpInput"""

    pass


class ShareStatisticsInput(TypedDict):
    """ShareStatisticsInput"""

    uuid: str
    """The `uuid` of the link or page. At most 2048 characters."""
    expires_at: NotRequired[str | None]
    """When the address stops working (`YYYY-MM-DD` or ISO 8601); null: never."""


class SharedStatistics(TypedDict):
    """Statistics of a link or page that can be read at a public address."""

    uuid: str
    """The `uuid` of the link or page."""
    type: Literal["link", "page"]
    """What it is."""
    name: str
    """The title, or the short code of a link without one."""
    shared_url: str
    """The public address of its statistics. Everyone who has the address can read them."""
    expires_at: str | None
    """When the address stops working (`YYYY-MM-DD` or ISO 8601); null: never."""
    created_by: str | None
    """The `uuid` of the user who shared it."""
    created_at: str
    """When it was shared (ISO 8601, UTC)."""


class ShortCode(TypedDict):
    """Whether a short code can be used."""

    code: str
    """The short code: 1 to 64 letters, digits, hyphens or underscores."""
    domain: str
    """The domain that would serve it. Default: the host of this instance."""
    state: Literal["available", "taken", "reserved"]
    """`available`; `taken`: used by a link, now or earlier, including removed links; `reserved`: cannot be used."""
    uuid: str | None
    """The `uuid` of your own link that the short code leads to; null otherwise."""


class SignInInput(TypedDict):
    """SignInInput"""

    email: str
    """Email address of the account. At most 254 characters."""
    password: str
    """Password of the account. At most 256 characters."""


class SignInWithLinkInput(TypedDict):
    """SignInWithLinkInput"""

    token: str
    """The token in the link. At most 256 characters."""


class SignInWithOidcInput(TypedDict):
    """SignInWithOidcInput"""

    query: str
    """The query of the address that the OpenID provider sent the browser back to. At most 8192 characters."""


class SignInWithPasskeyInput(TypedDict):
    """SignInWithPasskeyInput"""

    passkey: dict[str, Any]
    """The response of the authenticator: the JSON form of what `navigator.credentials` returns."""


class SignOutInput(TypedDict):
    """SignOutInput"""

    pass


class SignUpInput(TypedDict):
    """SignUpInput"""

    email: str
    """Email address of the account. At most 254 characters."""
    password: str
    """At least 8 characters with lower case, upper case, a digit and a symbol. At most 256 characters."""
    first_name: NotRequired[str | None]
    """First name. At most 2048 characters."""
    last_name: NotRequired[str | None]
    """Last name. At most 2048 characters."""
    invitation: NotRequired[str | None]
    """The token of an invitation. It permits signing up where sign-up is closed. The new user is a member of its workspace, and the invitation is used up. At most 256 characters."""


class SimulatedVisit(TypedDict):
    """A described visitor."""

    uuid: str
    """The `uuid` of the link. At most 2048 characters."""
    at: NotRequired[str | None]
    """The time of the visit: `YYYY-MM-DD` (its start, UTC) or ISO 8601. Default: now."""
    country: NotRequired[str | None]
    """Country of the visitor: an ISO 3166-1 code of two letters. Default: that of `address`."""
    language: NotRequired[str | None]
    """What the browser sends as `Accept-Language`, such as `fr` or `fr-CA,en;q=0.8`. At most 8192 characters."""
    user_agent: NotRequired[str | None]
    """What the browser sends as `User-Agent`. At most 2048 characters."""
    device: NotRequired[Literal["mobile", "tablet", "desktop"] | None]
    """`mobile`, `tablet` or `desktop`. Default: detected from `user_agent`."""
    os: NotRequired[str | None]
    """Operating system, named as in statistics. Default: detected from `user_agent`. At most 64 characters."""
    browser: NotRequired[str | None]
    """Browser, named as in statistics. Default: detected from `user_agent`. At most 64 characters."""
    referrer: NotRequired[str | None]
    """What the browser sends as `Referer`: the URL of a page, or only its host. At most 2048 characters."""
    query: NotRequired[str | None]
    """The query of the short link, such as `a=b&c=d`. At most 8192 characters."""
    path: NotRequired[str | None]
    """What follows the short link in the path, such as `/a/b`. A link without `forward_path` has no such path. At most 8192 characters."""
    address: NotRequired[str | None]
    """IP address of the visitor. Country and variant depend on it."""
    password: NotRequired[bool | None]
    """Whether the visitor knows the password. Default false."""


class Simulation(TypedDict):
    """The simulated response."""

    status: int
    """The HTTP status that the visitor would get."""
    url: str | None
    """Where the visitor would be sent; null without a redirect."""
    reason: Literal["rule", "variant", "link", "preview", "not_opened", "password", "not_active_yet", "blocked", "expired", "no_such_path", "removed"]
    """What decided: `rule`, `variant` or `link` for a redirect; else `preview` (a preview fetcher gets the card), `not_opened` (a crawler gets a page, because a redirect would use up a click), `password`, `not_active_yet`, `expired` (past its date, or used up), `no_such_path` (the path is not forwarded), `removed` or `blocked` (by the operator)."""
    rule: int | None | Literal["ios", "android"] | None
    """The place of the rule in `rules`, counted from 0; `ios` or `android` for `ios_url` and `android_url`; null if no rule decided."""
    variant: str | None
    """The name of the variant; null if no variant decided."""
    forwarded: bool
    """Whether the path or parameters of the visitor were added to the destination."""


class SmsContent(TypedDict):
    """A text message to send."""

    type: Literal["sms"]
    """What the code is for."""
    number: str
    """Phone number, such as `+441632960001`. At most 40 characters."""
    message: NotRequired[str | None]
    """Text of the message. At most 20000 characters."""


class Tag(TypedDict):
    """A tag and how many short links have it."""

    tag: str
    """The tag."""
    links: int
    """Number of short links with this tag."""


class TestWebhookInput(TypedDict):
    """TestWebhookInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class TestedWebhookDelivery(TypedDict):
    """A test delivery with its request and response."""

    uuid: str
    """The `webhook-id` header, the same in every attempt."""
    type: str
    """The event, such as `link.created`."""
    state: Literal["pending", "delivered", "failed"]
    """Whether it was delivered, is pending, or has failed."""
    attempts: int
    """Number of attempts so far."""
    status: int | None
    """HTTP status of the last response; null if there was none."""
    error: str | None
    """Why the last attempt failed; null if it did not."""
    created_at: str
    """When the event happened (ISO 8601, UTC)."""
    last_attempt_at: str | None
    """When the last attempt was made (ISO 8601, UTC)."""
    next_attempt_at: str | None
    """When the next attempt is due (ISO 8601, UTC); null if there is none."""
    request: WebhookRequest
    response: WebhookResponse | None
    """The response of the receiver; null if there was none."""


class TextContent(TypedDict):
    """A text to show."""

    type: Literal["text"]
    """What the code is for."""
    text: str
    """Of a text: what the code says. Of a SEPA transfer: the remittance text, at most 140 characters. At most 20000 characters."""


class TotpSetup(TypedDict):
    """The secret of an authenticator app that waits for its first code."""

    secret: str
    """The secret for the authenticator app, in base 32."""
    otpauth_url: str
    """The same as an address, for a QR code that the app scans."""


class TrashItem(TypedDict):
    """A removed resource that can still be restored."""

    uuid: str
    """The `uuid` of the removed resource."""
    type: Literal["link", "qrcode", "barcode", "page", "utm", "webhook"]
    """The kind of resource."""
    label: str
    """Its name in lists: title, description, short link or URL."""
    removed_at: str
    """When it was removed (ISO 8601, UTC)."""
    erased_at: str
    """When it will be erased (ISO 8601, UTC): 30 days after its removal."""


class UndoBulkEditInput(TypedDict):
    """UndoBulkEditInput"""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""


class UndoImportInput(TypedDict):
    """UndoImportInput"""

    uuid: str
    """Identifies the resource. At most 2048 characters."""


class UnshareStatisticsInput(TypedDict):
    """UnshareStatisticsInput"""

    uuid: str
    """The `uuid` of the link or page. At most 2048 characters."""


class UtmLink(TypedDict):
    """A UTM link."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    url: str
    """The destination, without UTM parameters."""
    source: str
    """Origin of the visitors (`utm_source`), such as `newsletter`."""
    medium: str
    """The channel (`utm_medium`), such as `email`."""
    campaign: str
    """Name of the campaign (`utm_campaign`)."""
    content: str
    """Distinguishes links of one campaign (`utm_content`), such as `button`."""
    term: str | None
    """Paid search term (`utm_term`)."""
    shorten: bool
    """Create a short link of the tagged URL as well; its clicks are counted. Default false."""
    utm_url: str
    """The destination with its UTM parameters."""
    short_url: str | None
    """The short link; null unless `shorten` is true."""
    clicks: int
    """Clicks on the short link, without bots."""
    warnings: list[str]
    """Possible problems in reports, one sentence each."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class UtmLinkCreate(TypedDict):
    """A new UTM link."""

    url: str
    """The destination, without UTM parameters. At most 2048 characters."""
    source: str
    """Origin of the visitors (`utm_source`), such as `newsletter`. At most 2048 characters."""
    medium: str
    """The channel (`utm_medium`), such as `email`. At most 2048 characters."""
    campaign: str
    """Name of the campaign (`utm_campaign`). At most 2048 characters."""
    content: str
    """Distinguishes links of one campaign (`utm_content`), such as `button`. At most 2048 characters."""
    term: NotRequired[str | None]
    """Paid search term (`utm_term`). At most 2048 characters."""
    shorten: NotRequired[bool | None]
    """Create a short link of the tagged URL as well; its clicks are counted. Default false."""


class UtmLinkEdit(TypedDict):
    """A UTM link with its changes."""

    uuid: str
    """Identifies the resource (UUID, version 7). At most 2048 characters."""
    url: str
    """The destination, without UTM parameters. At most 2048 characters."""
    source: str
    """Origin of the visitors (`utm_source`), such as `newsletter`. At most 2048 characters."""
    medium: str
    """The channel (`utm_medium`), such as `email`. At most 2048 characters."""
    campaign: str
    """Name of the campaign (`utm_campaign`). At most 2048 characters."""
    content: str
    """Distinguishes links of one campaign (`utm_content`), such as `button`. At most 2048 characters."""
    term: NotRequired[str | None]
    """Paid search term (`utm_term`). At most 2048 characters."""
    shorten: NotRequired[bool | None]
    """Create a short link of the tagged URL as well; its clicks are counted. Default false."""


class ValueBarcodeCreate(TypedDict):
    """A new barcode of a text or number."""

    url: NotRequired[None]
    """The destination of the barcode; null if it encodes a `value`."""
    value: str
    """A text or number to encode instead of `url`. Maximum length in characters: `code128` 200, `datamatrix` 500, `pdf417` 800, `aztec` 500, `ean13` 13, `ean8` 8, `upca` 12, `itf14` 14, `code39` 80, `gs1-128` 48, `gs1-datamatrix` 500. A missing check digit of `ean13`, `ean8`, `upca` and `itf14` is added; see `encodes`. `gs1-128` and `gs1-datamatrix` take application identifiers, such as `(01)09506000134352(10)AB12`, and check their syntax and check digits."""
    dynamic: NotRequired[Literal[False] | None]
    """Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false."""
    description: NotRequired[str | None]
    """A note for yourself; visitors do not see it. At most 255 characters."""
    size: NotRequired[float | None]
    """Height of the bars in pixels, 10 to 300. Default 100."""
    color: NotRequired[str | None]
    """Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`."""
    text: NotRequired[str | None]
    """Caption. Without one, none is drawn, except the data of `gs1-128` and `gs1-datamatrix`. At most 50 characters."""
    text_size: NotRequired[float | None]
    """Size of the caption in pixels, 10 to 80. Default 20."""
    text_color: NotRequired[str | None]
    """Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`."""
    text_position: NotRequired[Literal["top", "bottom"] | None]
    """Position of the caption. Default `bottom`."""
    symbology: NotRequired[Literal["code128", "datamatrix", "pdf417", "aztec", "ean13", "ean8", "upca", "itf14", "code39", "gs1-128", "gs1-datamatrix"] | None]
    """The kind of barcode. Default `code128`."""


class VerifyDomainInput(TypedDict):
    """VerifyDomainInput"""

    name: str
    """The host name, such as `go.example.com`. At most 253 characters."""


class VerifySecondFactorInput(TypedDict):
    """VerifySecondFactorInput"""

    challenge: str
    """Identifies this sign-in in `verify-second-factor`. Valid for 5 minutes. At most 256 characters."""
    code: NotRequired[str | None]
    """The code that the authenticator app shows, or a recovery code. At most 64 characters."""
    passkey: NotRequired[dict[str, Any] | None]
    """The response of the authenticator: the JSON form of what `navigator.credentials` returns."""


class Webhook(TypedDict):
    """A webhook."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    url: str
    """Where deliveries are sent: an http or https URL."""
    description: str | None
    """A note for yourself."""
    events: list[Literal["link.created", "link.edited", "link.removed", "link.restored", "qrcode.created", "qrcode.edited", "qrcode.removed", "qrcode.restored", "barcode.created", "barcode.edited", "barcode.removed", "barcode.restored", "page.created", "page.edited", "page.removed", "page.restored", "utm.created", "utm.edited", "utm.removed", "utm.restored", "link.clicked"]] | None
    """The events to deliver; null means all except `link.clicked`."""
    enabled: bool
    """Whether events are delivered."""
    disabled_reason: str | None
    """Why the server disabled it, or null."""
    failing_since: str | None
    """Since when all deliveries have failed (ISO 8601, UTC), or null."""
    previous_secret_expires_at: str | None
    """Until when deliveries are also signed with the previous secret (ISO 8601, UTC), or null."""
    created_by: str | None
    """The `uuid` of the user who created it; null for the command line and background imports."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


class WebhookDelivery(TypedDict):
    """An event and the state of its delivery."""

    uuid: str
    """The `webhook-id` header, the same in every attempt."""
    type: str
    """The event, such as `link.created`."""
    state: Literal["pending", "delivered", "failed"]
    """Whether it was delivered, is pending, or has failed."""
    attempts: int
    """Number of attempts so far."""
    status: int | None
    """HTTP status of the last response; null if there was none."""
    error: str | None
    """Why the last attempt failed; null if it did not."""
    created_at: str
    """When the event happened (ISO 8601, UTC)."""
    last_attempt_at: str | None
    """When the last attempt was made (ISO 8601, UTC)."""
    next_attempt_at: str | None
    """When the next attempt is due (ISO 8601, UTC); null if there is none."""


class WebhookRequest(TypedDict):
    """The request that was sent to a receiver."""

    method: Literal["POST"]
    """Always `POST`."""
    url: str
    """Where it was sent."""
    headers: dict[str, str]
    """Its headers."""
    body: str
    """Its body, as it was signed."""


class WebhookResponse(TypedDict):
    """The response of a receiver."""

    status: int
    """Its HTTP status."""
    headers: dict[str, str]
    """Its headers."""
    body: str
    """The first 4 KiB of its body, as text."""
    duration_ms: int
    """How long it took, in milliseconds."""


class WholeListMeta(TypedDict):
    """The length of a list with one page."""

    count: int
    """Number of items in this response."""
    total: int
    """Number of items in the whole list."""
    next_cursor: None
    """Always null: the list has one page."""


class WifiContent(TypedDict):
    """Joins a Wi-Fi network."""

    type: Literal["wifi"]
    """What the code is for."""
    ssid: str
    """Name of the network: 1 to 32 bytes of UTF-8. At most 32 characters."""
    password: NotRequired[str | None]
    """Password of the network. WPA: 8 to 63 characters, or 64 hexadecimal digits. At most 64 characters."""
    security: NotRequired[Literal["WPA", "WEP", "none"] | None]
    """`WPA` (WPA, WPA2 and WPA3), `WEP` or `none`. Default: `WPA` with a password, else `none`."""
    hidden: NotRequired[bool | None]
    """Whether the network does not announce its name. Default false."""


class Workspace(TypedDict):
    """A workspace: it owns links, codes, pages, domains, keys, webhooks, plan and invoices."""

    uuid: str
    """Identifies the resource (UUID, version 7)."""
    name: str
    """Name of the workspace, at most 60 characters."""
    role: Literal["viewer", "editor", "admin", "owner"]
    """What you may do in it."""
    require_second_factor: bool
    """Whether members must have a second factor."""
    members: int
    """Number of members."""
    created_at: str
    """When it was created (ISO 8601, UTC)."""
    updated_at: str
    """When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it."""


EditPageInput = Union["PageEdit", "NestedPageEdit", "PagePublish", "PageDiscard"]


GenerateBarcodeInput = Union["BarcodeCreate", "ValueBarcodeCreate"]


GeneratePageInput = Union["PageCreate", "NestedPageCreate"]


GenerateQrInput = Union["QrCodeCreate", "ContentQrCodeCreate"]


RemoveBarcodeInput = Union["RemoveOne", "RemoveMany"]


RemoveLinksInput = Union["RemoveOne", "RemoveMany"]


RemovePageInput = Union["RemoveOne", "RemoveMany"]


RemoveQrInput = Union["RemoveOne", "RemoveMany"]


RemoveUtmInput = Union["RemoveOne", "RemoveMany"]


RemoveWebhookInput = Union["RemoveOne", "RemoveMany"]


class DownloadInvoiceQuery(TypedDict):
    """Query of `download_invoice`."""

    number: NotRequired[str]
    """Number of the invoice. Default: the newest. At most 64 characters."""


class BarcodesQuery(TypedDict):
    """Query of `barcodes`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class PagesQuery(TypedDict):
    """Query of `pages`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class LinksQuery(TypedDict):
    """Query of `links`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""
    tag: NotRequired[str | list[str]]
    """Only links with this tag. Repeated, only links with all of the tags."""
    domain: NotRequired[str]
    """Only links on this domain. At most 255 characters."""
    state: NotRequired[Literal["all", "active", "expired", "archived"]]
    """Default `all`. `active`: not archived, expired or used up; scheduled ones are included. `expired`: expired or used up."""
    owner: NotRequired[Literal["any", "none"]]
    """Default `any`. `none`: only links that do not belong to a page, code or UTM link."""
    code: NotRequired[str]
    """Only the link that this short code leads to, on `domain` (default: the host of this instance). Earlier short codes of renamed links are found, too. At most 64 characters."""
    sort: NotRequired[Literal["created_at", "clicks", "last_click_at"]]
    """What to sort by. Default `created_at`."""
    order: NotRequired[Literal["asc", "desc"]]
    """Default `desc`: newest, most clicked or last clicked first."""


class QrcodesQuery(TypedDict):
    """Query of `qrcodes`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class UtmLinksQuery(TypedDict):
    """Query of `utm_links`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


AnalyticsQuery = TypedDict("AnalyticsQuery", {
    "uuid": "NotRequired[str | list[str]]",
    "tag": "NotRequired[str]",
    "domain": "NotRequired[str]",
    "from": "NotRequired[str]",
    "to": "NotRequired[str]",
    "interval": "NotRequired[Literal[\"hour\", \"day\", \"week\", \"month\"]]",
    "by": "NotRequired[Literal[\"country\", \"referrer\", \"device\", \"browser\", \"system\", \"language\", \"utm_source\", \"utm_medium\", \"utm_campaign\", \"variant\", \"rule\", \"source\", \"button\", \"icon\", \"hour_of_week\", \"link\"] | list[Literal[\"country\", \"referrer\", \"device\", \"browser\", \"system\", \"language\", \"utm_source\", \"utm_medium\", \"utm_campaign\", \"variant\", \"rule\", \"source\", \"button\", \"icon\", \"hour_of_week\", \"link\"]]]",
    "timezone": "NotRequired[str]",
    "compare": "NotRequired[bool | Literal[\"0\", \"1\", \"true\", \"false\"]]",
    "country": "NotRequired[str | list[str]]",
    "referrer": "NotRequired[str | list[str]]",
    "device": "NotRequired[str | list[str]]",
    "browser": "NotRequired[str | list[str]]",
    "system": "NotRequired[str | list[str]]",
    "language": "NotRequired[str | list[str]]",
    "utm_source": "NotRequired[str | list[str]]",
    "utm_medium": "NotRequired[str | list[str]]",
    "utm_campaign": "NotRequired[str | list[str]]",
    "variant": "NotRequired[str | list[str]]",
    "rule": "NotRequired[str | list[str]]",
    "source": "NotRequired[Literal[\"qr\", \"link\"]]",
    "bot": "NotRequired[bool | Literal[\"0\", \"1\", \"true\", \"false\"]]",
})


class LiveQuery(TypedDict):
    """Query of `live`."""

    uuid: NotRequired[str]
    """A link, dynamic code or page. Default: the whole account. At most 64 characters."""
    tag: NotRequired[str]
    """Links with this tag. At most 255 characters."""
    domain: NotRequired[str]
    """Links of this domain. At most 255 characters."""
    recent: NotRequired[int]
    """First so many of the latest clicks, as events named `recent`: at most 20, default 0."""


ExportClicksQuery = TypedDict("ExportClicksQuery", {
    "uuid": "NotRequired[str | list[str]]",
    "tag": "NotRequired[str]",
    "domain": "NotRequired[str]",
    "from": "NotRequired[str]",
    "to": "NotRequired[str]",
    "timezone": "NotRequired[str]",
    "format": "NotRequired[Literal[\"csv\", \"ndjson\"]]",
})


class ShortCodeQuery(TypedDict):
    """Query of `short_code`."""

    code: str
    """The short code: 1 to 64 letters, digits, hyphens or underscores."""
    domain: NotRequired[str]
    """The domain that would serve it. Default: the host of this instance. At most 255 characters."""


class LinkHistoryQuery(TypedDict):
    """Query of `link_history`."""

    uuid: str
    """Identifies the link. At most 2048 characters."""


class ExportLinksQuery(TypedDict):
    """Query of `export_links`."""

    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    tag: NotRequired[str | list[str]]
    """Only links with this tag. Repeated, only links with all of the tags."""
    domain: NotRequired[str]
    """Only links on this domain. At most 255 characters."""
    state: NotRequired[Literal["all", "active", "expired", "archived"]]
    """Default `all`. `active`: not archived, expired or used up; scheduled ones are included. `expired`: expired or used up."""
    owner: NotRequired[Literal["any", "none"]]
    """Default `any`. `none`: only links that do not belong to a page, code or UTM link."""
    uuid: NotRequired[str]
    """Only these links: up to 100, separated by commas. At most 3700 characters."""


class PrintCodeQuery(TypedDict):
    """Query of `print_code`."""

    uuid: str
    """The QR code or barcode. At most 2048 characters."""
    format: Literal["pdf", "svg", "png"]
    """The file format. `pdf` and `svg` are vectors; pure black is black ink only (K) in `pdf`."""
    width_mm: float
    """Width in millimetres, 8 to 1000. The quiet zone is part of it, a frame and a caption are not."""
    dpi: NotRequired[int]
    """Pixels per inch of `png`, 72 to 1200. A picture has at most 16 megapixels. Default 300."""


class ExportCodesQuery(TypedDict):
    """Query of `export_codes`."""

    format: Literal["svg", "png"]
    """The format of the pictures."""
    uuids: NotRequired[str]
    """Only these QR codes and barcodes: up to 100, separated by commas. At most 3700 characters."""
    tag: NotRequired[str]
    """Only codes whose short link has this tag. At most 255 characters."""


class BulkEditsQuery(TypedDict):
    """Query of `bulk_edits`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class ImportsQuery(TypedDict):
    """Query of `imports`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class TrashQuery(TypedDict):
    """Query of `trash`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    search: NotRequired[str]
    """Only items that contain this text (case-insensitive). At most 2048 characters."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""
    type: NotRequired[Literal["link", "qrcode", "barcode", "page", "utm", "webhook"]]
    """Only resources of this kind."""


class InvoicesQuery(TypedDict):
    """Query of `invoices`."""

    limit: NotRequired[int]
    """Items per page: 1 to 1000, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page."""
    uuid: NotRequired[str]
    """Only the item with this `uuid`: the list has one item or none. At most 2048 characters."""


class WebhookDeliveriesQuery(TypedDict):
    """Query of `webhook_deliveries`."""

    uuid: str
    """Identifies the webhook. At most 2048 characters."""
    limit: NotRequired[int]
    """1 to 100, default 20."""


AuditLogQuery = TypedDict("AuditLogQuery", {
    "limit": "NotRequired[int]",
    "cursor": "NotRequired[str]",
    "actor": "NotRequired[Literal[\"user\", \"key\", \"token\", \"command_line\", \"system\"]]",
    "user": "NotRequired[str]",
    "credential": "NotRequired[str]",
    "operation": "NotRequired[str]",
    "resource": "NotRequired[str]",
    "from": "NotRequired[str]",
    "to": "NotRequired[str]",
    "format": "NotRequired[Literal[\"json\", \"csv\"]]",
})


OPERATIONS: dict[str, Operation] = {
    "currentPlan": Operation("GET", "/v1/current-plan", "signed", False, None, True, None, ()),
    "downloadInvoice": Operation("GET", "/v1/download-invoice", "signed", False, None, True, None, ()),
    "updatePersonalInfo": Operation("POST", "/v1/update-personal-info", "signed", True, None, True, ("email", ), ("image", )),
    "addFeedback": Operation("POST", "/v1/add-feedback", "signed", True, None, True, None, ()),
    "updatePassword": Operation("POST", "/v1/update-password", "signed", False, None, True, None, ()),
    "removeAccount": Operation("POST", "/v1/remove-account", "signed", False, None, True, None, ()),
    "barcodes": Operation("GET", "/v1/barcode", "key", False, None, True, None, ()),
    "generateBarcode": Operation("POST", "/v1/generate-barcode", "signed", False, None, True, None, ()),
    "editBarcode": Operation("POST", "/v1/edit-barcode", "signed", False, None, True, ("encodes", "short_url", "image_url", "svg_url", "scans", "warnings", "grade", "created_by", "created_at", "updated_at", ), ()),
    "removeBarcode": Operation("POST", "/v1/remove-barcode", "signed", False, None, True, None, ()),
    "pages": Operation("GET", "/v1/pages", "key", False, None, True, None, ()),
    "generatePage": Operation("POST", "/v1/generate-page", "signed", True, None, True, None, ()),
    "editPage": Operation("POST", "/v1/edit-page", "signed", True, None, True, ("unpublished", "conflicts", "page_url", "short_link", "qr_code", "views", "created_by", "created_at", "updated_at", ), ("logo", )),
    "removePage": Operation("POST", "/v1/remove-page", "signed", False, None, True, None, ()),
    "healthcheck": Operation("GET", "/v1/healthcheck", "none", False, None, True, None, ()),
    "generateLink": Operation("POST", "/v1/generate-link", "key", False, None, True, None, ()),
    "links": Operation("GET", "/v1/links", "key", False, None, True, None, ()),
    "editLinks": Operation("POST", "/v1/edit-links", "signed", False, None, True, ("code", "short_url", "has_password", "clicks", "imported_clicks", "last_click_at", "blocked", "owner", "created_by", "created_at", "updated_at", ), ()),
    "removeLinks": Operation("POST", "/v1/remove-links", "signed", False, None, True, None, ()),
    "qrcodes": Operation("GET", "/v1/qrcode", "key", False, None, True, None, ()),
    "generateQr": Operation("POST", "/v1/generate-qr", "signed", True, None, True, None, ()),
    "editQr": Operation("POST", "/v1/edit-qr", "signed", True, None, True, ("encodes", "short_url", "image_url", "svg_url", "scans", "warnings", "grade", "created_by", "created_at", "updated_at", ), ("logo", )),
    "removeQr": Operation("POST", "/v1/remove-qr", "signed", False, None, True, None, ()),
    "utmLinks": Operation("GET", "/v1/utm", "key", False, None, True, None, ()),
    "generateUtm": Operation("POST", "/v1/generate-utm", "signed", False, None, True, None, ()),
    "editUtm": Operation("POST", "/v1/edit-utm", "signed", False, None, True, ("utm_url", "short_url", "clicks", "warnings", "created_by", "created_at", "updated_at", ), ()),
    "removeUtm": Operation("POST", "/v1/remove-utm", "signed", False, None, True, None, ()),
    "analytics": Operation("GET", "/v1/analytics", "key", False, None, True, None, ()),
    "live": Operation("GET", "/v1/live", "signed", False, "events", True, None, ()),
    "exportClicks": Operation("GET", "/v1/export-clicks", "signed", False, "csv", True, None, ()),
    "shareStatistics": Operation("POST", "/v1/share-statistics", "signed", False, None, False, None, ()),
    "sharedStatistics": Operation("GET", "/v1/shared-statistics", "signed", False, None, True, None, ()),
    "unshareStatistics": Operation("POST", "/v1/unshare-statistics", "signed", False, None, True, None, ()),
    "tags": Operation("GET", "/v1/tags", "key", False, None, True, None, ()),
    "shortCode": Operation("GET", "/v1/short-code", "signed", False, None, True, None, ()),
    "simulateLink": Operation("POST", "/v1/simulate-link", "signed", False, None, True, None, ()),
    "linkHistory": Operation("GET", "/v1/link-history", "signed", False, None, True, None, ()),
    "revertLink": Operation("POST", "/v1/revert-link", "signed", False, None, True, None, ()),
    "generateLinks": Operation("POST", "/v1/generate-links", "signed", False, None, True, None, ()),
    "exportLinks": Operation("GET", "/v1/export-links", "key", False, "csv", True, None, ()),
    "printCode": Operation("GET", "/v1/print-code", "signed", False, "picture", True, None, ()),
    "generateCodes": Operation("POST", "/v1/generate-codes", "signed", False, None, True, None, ()),
    "exportCodes": Operation("GET", "/v1/export-codes", "signed", False, "zip", True, None, ()),
    "bulkEditLinks": Operation("POST", "/v1/bulk-edit-links", "signed", False, None, True, None, ()),
    "bulkEdits": Operation("GET", "/v1/bulk-edits", "signed", False, None, True, None, ()),
    "undoBulkEdit": Operation("POST", "/v1/undo-bulk-edit", "signed", False, None, True, None, ()),
    "importLinks": Operation("POST", "/v1/import-links", "signed", True, None, True, None, ()),
    "imports": Operation("GET", "/v1/imports", "signed", False, None, True, None, ()),
    "runImport": Operation("POST", "/v1/run-import", "signed", False, None, True, None, ()),
    "undoImport": Operation("POST", "/v1/undo-import", "signed", False, None, True, None, ()),
    "trash": Operation("GET", "/v1/trash", "signed", False, None, True, None, ()),
    "restore": Operation("POST", "/v1/restore", "signed", False, None, True, None, ()),
    "erase": Operation("POST", "/v1/erase", "signed", False, None, True, None, ()),
    "profile": Operation("GET", "/v1/profile", "signed", False, None, True, None, ()),
    "brandKit": Operation("GET", "/v1/brand-kit", "signed", False, None, True, None, ()),
    "editBrandKit": Operation("POST", "/v1/edit-brand-kit", "signed", True, None, True, (), ("logo", )),
    "takeout": Operation("GET", "/v1/takeout", "signed", False, "archive", True, None, ()),
    "invoices": Operation("GET", "/v1/invoices", "signed", False, None, True, None, ()),
    "domains": Operation("GET", "/v1/domains", "key", False, None, True, None, ()),
    "addDomain": Operation("POST", "/v1/add-domain", "signed", False, None, True, None, ()),
    "verifyDomain": Operation("POST", "/v1/verify-domain", "signed", False, None, True, None, ()),
    "checkDomain": Operation("POST", "/v1/check-domain", "signed", False, None, True, None, ()),
    "editDomain": Operation("POST", "/v1/edit-domain", "signed", True, None, True, ("verified", "shared", "txt_name", "txt_value", "records", "created_at", "updated_at", ), ("logo", )),
    "removeDomain": Operation("POST", "/v1/remove-domain", "signed", False, None, True, None, ()),
    "webhooks": Operation("GET", "/v1/webhooks", "signed", False, None, True, None, ()),
    "addWebhook": Operation("POST", "/v1/add-webhook", "signed", False, None, False, None, ()),
    "editWebhook": Operation("POST", "/v1/edit-webhook", "signed", False, None, True, ("disabled_reason", "failing_since", "previous_secret_expires_at", "created_by", "created_at", "updated_at", ), ()),
    "removeWebhook": Operation("POST", "/v1/remove-webhook", "signed", False, None, True, None, ()),
    "testWebhook": Operation("POST", "/v1/test-webhook", "signed", False, None, True, None, ()),
    "rotateWebhookSecret": Operation("POST", "/v1/rotate-webhook-secret", "signed", False, None, False, None, ()),
    "redeliverWebhook": Operation("POST", "/v1/redeliver-webhook", "signed", False, None, True, None, ()),
    "webhookDeliveries": Operation("GET", "/v1/webhook-deliveries", "signed", False, None, True, None, ()),
    "signUp": Operation("POST", "/v1/sign-up", "none", False, None, False, None, ()),
    "signIn": Operation("POST", "/v1/sign-in", "none", False, None, False, None, ()),
    "beginOidc": Operation("POST", "/v1/begin-oidc", "none", False, None, False, None, ()),
    "signInWithOidc": Operation("POST", "/v1/sign-in-with-oidc", "none", False, None, False, None, ()),
    "signInWithLink": Operation("POST", "/v1/sign-in-with-link", "none", False, None, False, None, ()),
    "verifySecondFactor": Operation("POST", "/v1/verify-second-factor", "none", False, None, False, None, ()),
    "passkeySignInOptions": Operation("POST", "/v1/passkey-sign-in-options", "none", False, None, False, None, ()),
    "signInWithPasskey": Operation("POST", "/v1/sign-in-with-passkey", "none", False, None, False, None, ()),
    "forgotPassword": Operation("POST", "/v1/forgot-password", "none", False, None, False, None, ()),
    "resetPassword": Operation("POST", "/v1/reset-password", "none", False, None, False, None, ()),
    "checkReset": Operation("POST", "/v1/check-reset", "none", False, None, True, None, ()),
    "confirmEmail": Operation("POST", "/v1/confirm-email", "none", False, None, False, None, ()),
    "cancelEmailChange": Operation("POST", "/v1/cancel-email-change", "none", False, None, False, None, ()),
    "instance": Operation("GET", "/v1/instance", "none", False, None, True, None, ()),
    "workspaces": Operation("GET", "/v1/workspaces", "signed", False, None, True, None, ()),
    "createWorkspace": Operation("POST", "/v1/create-workspace", "signed", False, None, True, None, ()),
    "editWorkspace": Operation("POST", "/v1/edit-workspace", "signed", False, None, True, None, ()),
    "removeWorkspace": Operation("POST", "/v1/remove-workspace", "signed", False, None, True, None, ()),
    "members": Operation("GET", "/v1/members", "signed", False, None, True, None, ()),
    "editMember": Operation("POST", "/v1/edit-member", "signed", False, None, True, ("email", "first_name", "last_name", "created_at", ), ()),
    "removeMember": Operation("POST", "/v1/remove-member", "signed", False, None, True, None, ()),
    "invitations": Operation("GET", "/v1/invitations", "signed", False, None, True, None, ()),
    "inviteMember": Operation("POST", "/v1/invite-member", "signed", False, None, False, None, ()),
    "removeInvitation": Operation("POST", "/v1/remove-invitation", "signed", False, None, True, None, ()),
    "checkInvitation": Operation("POST", "/v1/check-invitation", "none", False, None, False, None, ()),
    "auditLog": Operation("GET", "/v1/audit-log", "signed", False, None, True, None, ()),
}


class Operations(Caller):
    """One method for each operation. Fields are keyword arguments, or one dictionary."""

    operations = OPERATIONS

    def current_plan(self, *, options: CallOptions | None = None) -> Response[Plan]:
        """The current plan, its limits and their usage. `GET /v1/current-plan`"""
        return self._call("currentPlan", None, options)

    @overload
    def download_invoice(self, body: DownloadInvoiceQuery | None = None, /, *, options: CallOptions | None = None) -> Response[Invoice]: ...
    @overload
    def download_invoice(self, *, options: CallOptions | None = None, **fields: Unpack[DownloadInvoiceQuery]) -> Response[Invoice]: ...
    def download_invoice(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Invoice]:
        """The newest invoice, or the one with the given number. `GET /v1/download-invoice`"""
        return self._call("downloadInvoice", {**(body or {}), **fields}, options)

    @overload
    def update_personal_info(self, body: ProfileEdit | Profile | None = None, /, *, options: CallOptions | None = None) -> Response[Profile]: ...
    @overload
    def update_personal_info(self, *, options: CallOptions | None = None, **fields: Unpack[ProfileEdit]) -> Response[Profile]: ...
    def update_personal_info(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile]:
        """Change the profile. `POST /v1/update-personal-info`"""
        return self._call("updatePersonalInfo", {**(body or {}), **fields}, options)

    @overload
    def add_feedback(self, body: FeedbackCreate, /, *, options: CallOptions | None = None) -> Response[Feedback]: ...
    @overload
    def add_feedback(self, *, options: CallOptions | None = None, **fields: Unpack[FeedbackCreate]) -> Response[Feedback]: ...
    def add_feedback(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Feedback]:
        """Send feedback, with an optional picture. `POST /v1/add-feedback`"""
        return self._call("addFeedback", {**(body or {}), **fields}, options)

    @overload
    def update_password(self, body: PasswordChange, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def update_password(self, *, options: CallOptions | None = None, **fields: Unpack[PasswordChange]) -> Response[dict[str, Any]]: ...
    def update_password(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Change the password; every other dashboard session ends, API keys stay. `POST /v1/update-password`"""
        return self._call("updatePassword", {**(body or {}), **fields}, options)

    @overload
    def remove_account(self, body: AccountRemoval, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def remove_account(self, *, options: CallOptions | None = None, **fields: Unpack[AccountRemoval]) -> Response[dict[str, Any]]: ...
    def remove_account(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Remove the account and all its data permanently. `POST /v1/remove-account`"""
        return self._call("removeAccount", {**(body or {}), **fields}, options)

    @overload
    def barcodes(self, body: BarcodesQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[Barcode]: ...
    @overload
    def barcodes(self, *, options: CallOptions | None = None, **fields: Unpack[BarcodesQuery]) -> Listing[Barcode]: ...
    def barcodes(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[Barcode]:
        """List barcodes, newest first. `GET /v1/barcode`"""
        return self._list("barcodes", {**(body or {}), **fields}, options)

    @overload
    def generate_barcode(self, body: BarcodeCreate, /, *, options: CallOptions | None = None) -> Response[Barcode]: ...
    @overload
    def generate_barcode(self, *, options: CallOptions | None = None, **fields: Unpack[BarcodeCreate]) -> Response[Barcode]: ...
    @overload
    def generate_barcode(self, body: ValueBarcodeCreate, /, *, options: CallOptions | None = None) -> Response[Barcode]: ...
    @overload
    def generate_barcode(self, *, options: CallOptions | None = None, **fields: Unpack[ValueBarcodeCreate]) -> Response[Barcode]: ...
    def generate_barcode(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Barcode]:
        """Create a barcode. `POST /v1/generate-barcode`"""
        return self._call("generateBarcode", {**(body or {}), **fields}, options)

    @overload
    def edit_barcode(self, body: BarcodeEdit | Barcode, /, *, options: CallOptions | None = None) -> Response[Barcode]: ...
    @overload
    def edit_barcode(self, *, options: CallOptions | None = None, **fields: Unpack[BarcodeEdit]) -> Response[Barcode]: ...
    def edit_barcode(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Barcode]:
        """Edit a barcode. `POST /v1/edit-barcode`"""
        return self._call("editBarcode", {**(body or {}), **fields}, options)

    @overload
    def remove_barcode(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_barcode(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_barcode(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_barcode(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_barcode(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove a barcode. `POST /v1/remove-barcode`"""
        return self._call("removeBarcode", {**(body or {}), **fields}, options)

    @overload
    def pages(self, body: PagesQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[Page]: ...
    @overload
    def pages(self, *, options: CallOptions | None = None, **fields: Unpack[PagesQuery]) -> Listing[Page]: ...
    def pages(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[Page]:
        """List custom pages, newest first. `GET /v1/pages`"""
        return self._list("pages", {**(body or {}), **fields}, options)

    @overload
    def generate_page(self, body: PageCreate, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def generate_page(self, *, options: CallOptions | None = None, **fields: Unpack[PageCreate]) -> Response[Page]: ...
    @overload
    def generate_page(self, body: NestedPageCreate, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def generate_page(self, *, options: CallOptions | None = None, **fields: Unpack[NestedPageCreate]) -> Response[Page]: ...
    def generate_page(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Page]:
        """Create a custom page with its short link and QR code. `POST /v1/generate-page`"""
        return self._call("generatePage", {**(body or {}), **fields}, options)

    @overload
    def edit_page(self, body: PageEdit | Page, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def edit_page(self, *, options: CallOptions | None = None, **fields: Unpack[PageEdit]) -> Response[Page]: ...
    @overload
    def edit_page(self, body: NestedPageEdit | Page, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def edit_page(self, *, options: CallOptions | None = None, **fields: Unpack[NestedPageEdit]) -> Response[Page]: ...
    @overload
    def edit_page(self, body: PagePublish | Page, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def edit_page(self, *, options: CallOptions | None = None, **fields: Unpack[PagePublish]) -> Response[Page]: ...
    @overload
    def edit_page(self, body: PageDiscard | Page, /, *, options: CallOptions | None = None) -> Response[Page]: ...
    @overload
    def edit_page(self, *, options: CallOptions | None = None, **fields: Unpack[PageDiscard]) -> Response[Page]: ...
    def edit_page(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Page]:
        """Edit a custom page. `POST /v1/edit-page`"""
        return self._call("editPage", {**(body or {}), **fields}, options)

    @overload
    def remove_page(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_page(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_page(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_page(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_page(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove a custom page with its short link and QR code. `POST /v1/remove-page`"""
        return self._call("removePage", {**(body or {}), **fields}, options)

    def healthcheck(self, *, options: CallOptions | None = None) -> dict[str, Any]:
        """Whether the service is healthy. `GET /v1/healthcheck`"""
        return self._call("healthcheck", None, options)

    @overload
    def generate_link(self, body: LinkCreate, /, *, options: CallOptions | None = None) -> Response[Link]: ...
    @overload
    def generate_link(self, *, options: CallOptions | None = None, **fields: Unpack[LinkCreate]) -> Response[Link]: ...
    def generate_link(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Link]:
        """Create a short link. `POST /v1/generate-link`"""
        return self._call("generateLink", {**(body or {}), **fields}, options)

    @overload
    def links(self, body: LinksQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[Link]: ...
    @overload
    def links(self, *, options: CallOptions | None = None, **fields: Unpack[LinksQuery]) -> Listing[Link]: ...
    def links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[Link]:
        """List short links, newest first. `GET /v1/links`"""
        return self._list("links", {**(body or {}), **fields}, options)

    @overload
    def edit_links(self, body: LinkEdit | Link, /, *, options: CallOptions | None = None) -> Response[Link]: ...
    @overload
    def edit_links(self, *, options: CallOptions | None = None, **fields: Unpack[LinkEdit]) -> Response[Link]: ...
    def edit_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Link]:
        """Edit a short link. `POST /v1/edit-links`"""
        return self._call("editLinks", {**(body or {}), **fields}, options)

    @overload
    def remove_links(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_links(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_links(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_links(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove a short link. `POST /v1/remove-links`"""
        return self._call("removeLinks", {**(body or {}), **fields}, options)

    @overload
    def qrcodes(self, body: QrcodesQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[QrCode]: ...
    @overload
    def qrcodes(self, *, options: CallOptions | None = None, **fields: Unpack[QrcodesQuery]) -> Listing[QrCode]: ...
    def qrcodes(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[QrCode]:
        """List QR codes, newest first. `GET /v1/qrcode`"""
        return self._list("qrcodes", {**(body or {}), **fields}, options)

    @overload
    def generate_qr(self, body: QrCodeCreate, /, *, options: CallOptions | None = None) -> Response[QrCode]: ...
    @overload
    def generate_qr(self, *, options: CallOptions | None = None, **fields: Unpack[QrCodeCreate]) -> Response[QrCode]: ...
    @overload
    def generate_qr(self, body: ContentQrCodeCreate, /, *, options: CallOptions | None = None) -> Response[QrCode]: ...
    @overload
    def generate_qr(self, *, options: CallOptions | None = None, **fields: Unpack[ContentQrCodeCreate]) -> Response[QrCode]: ...
    def generate_qr(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[QrCode]:
        """Create a QR code. `POST /v1/generate-qr`"""
        return self._call("generateQr", {**(body or {}), **fields}, options)

    @overload
    def edit_qr(self, body: QrCodeEdit | QrCode, /, *, options: CallOptions | None = None) -> Response[QrCode]: ...
    @overload
    def edit_qr(self, *, options: CallOptions | None = None, **fields: Unpack[QrCodeEdit]) -> Response[QrCode]: ...
    def edit_qr(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[QrCode]:
        """Edit a QR code. `POST /v1/edit-qr`"""
        return self._call("editQr", {**(body or {}), **fields}, options)

    @overload
    def remove_qr(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_qr(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_qr(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_qr(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_qr(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove a QR code. `POST /v1/remove-qr`"""
        return self._call("removeQr", {**(body or {}), **fields}, options)

    @overload
    def utm_links(self, body: UtmLinksQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[UtmLink]: ...
    @overload
    def utm_links(self, *, options: CallOptions | None = None, **fields: Unpack[UtmLinksQuery]) -> Listing[UtmLink]: ...
    def utm_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[UtmLink]:
        """List UTM links, newest first. `GET /v1/utm`"""
        return self._list("utmLinks", {**(body or {}), **fields}, options)

    @overload
    def generate_utm(self, body: UtmLinkCreate, /, *, options: CallOptions | None = None) -> Response[UtmLink]: ...
    @overload
    def generate_utm(self, *, options: CallOptions | None = None, **fields: Unpack[UtmLinkCreate]) -> Response[UtmLink]: ...
    def generate_utm(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[UtmLink]:
        """Create a UTM link. `POST /v1/generate-utm`"""
        return self._call("generateUtm", {**(body or {}), **fields}, options)

    @overload
    def edit_utm(self, body: UtmLinkEdit | UtmLink, /, *, options: CallOptions | None = None) -> Response[UtmLink]: ...
    @overload
    def edit_utm(self, *, options: CallOptions | None = None, **fields: Unpack[UtmLinkEdit]) -> Response[UtmLink]: ...
    def edit_utm(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[UtmLink]:
        """Edit a UTM link. `POST /v1/edit-utm`"""
        return self._call("editUtm", {**(body or {}), **fields}, options)

    @overload
    def remove_utm(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_utm(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_utm(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_utm(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_utm(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove a UTM link. `POST /v1/remove-utm`"""
        return self._call("removeUtm", {**(body or {}), **fields}, options)

    @overload
    def analytics(self, body: AnalyticsQuery | None = None, /, *, options: CallOptions | None = None) -> Response[ClickStatistics]: ...
    @overload
    def analytics(self, *, options: CallOptions | None = None, **fields: Unpack[AnalyticsQuery]) -> Response[ClickStatistics]: ...
    def analytics(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[ClickStatistics]:
        """Clicks over time and by country, referrer, device, browser and system. `GET /v1/analytics`"""
        return self._call("analytics", {**(body or {}), **fields}, options)

    @overload
    def live(self, body: LiveQuery | None = None, /, *, options: CallOptions | None = None) -> Generator[LiveClick, None, None]: ...
    @overload
    def live(self, *, options: CallOptions | None = None, **fields: Unpack[LiveQuery]) -> Generator[LiveClick, None, None]: ...
    def live(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Generator[LiveClick, None, None]:
        """Clicks as they arrive, as server-sent events named `click`. `GET /v1/live`"""
        return self._listen("live", {**(body or {}), **fields}, options)

    @overload
    def export_clicks(self, body: ExportClicksQuery | None = None, /, *, options: CallOptions | None = None) -> str: ...
    @overload
    def export_clicks(self, *, options: CallOptions | None = None, **fields: Unpack[ExportClicksQuery]) -> str: ...
    def export_clicks(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> str:
        """Single clicks of a period, oldest first, as a CSV or NDJSON file. `GET /v1/export-clicks`"""
        return self._call("exportClicks", {**(body or {}), **fields}, options)

    @overload
    def share_statistics(self, body: ShareStatisticsInput, /, *, options: CallOptions | None = None) -> Response[SharedStatistics]: ...
    @overload
    def share_statistics(self, *, options: CallOptions | None = None, **fields: Unpack[ShareStatisticsInput]) -> Response[SharedStatistics]: ...
    def share_statistics(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[SharedStatistics]:
        """Share the statistics of a link or page at a public address; again, it changes when that ends. `POST /v1/share-statistics`"""
        return self._call("shareStatistics", {**(body or {}), **fields}, options)

    def shared_statistics(self, *, options: CallOptions | None = None) -> Response[list[SharedStatistics]]:
        """The links and pages whose statistics are shared, and their public addresses. `GET /v1/shared-statistics`"""
        return self._call("sharedStatistics", None, options)

    @overload
    def unshare_statistics(self, body: UnshareStatisticsInput, /, *, options: CallOptions | None = None) -> Response[Removed]: ...
    @overload
    def unshare_statistics(self, *, options: CallOptions | None = None, **fields: Unpack[UnshareStatisticsInput]) -> Response[Removed]: ...
    def unshare_statistics(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Removed]:
        """Stop sharing the statistics of a link or page. `POST /v1/unshare-statistics`"""
        return self._call("unshareStatistics", {**(body or {}), **fields}, options)

    def tags(self, *, options: CallOptions | None = None) -> Response[list[Tag]]:
        """The tags in use, with the number of links for each. `GET /v1/tags`"""
        return self._call("tags", None, options)

    @overload
    def short_code(self, body: ShortCodeQuery, /, *, options: CallOptions | None = None) -> Response[ShortCode]: ...
    @overload
    def short_code(self, *, options: CallOptions | None = None, **fields: Unpack[ShortCodeQuery]) -> Response[ShortCode]: ...
    def short_code(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[ShortCode]:
        """Whether a short code is available, taken or reserved. `GET /v1/short-code`"""
        return self._call("shortCode", {**(body or {}), **fields}, options)

    @overload
    def simulate_link(self, body: SimulatedVisit, /, *, options: CallOptions | None = None) -> Response[Simulation]: ...
    @overload
    def simulate_link(self, *, options: CallOptions | None = None, **fields: Unpack[SimulatedVisit]) -> Response[Simulation]: ...
    def simulate_link(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Simulation]:
        """Where a described visitor would be sent, and why. `POST /v1/simulate-link`"""
        return self._call("simulateLink", {**(body or {}), **fields}, options)

    @overload
    def link_history(self, body: LinkHistoryQuery, /, *, options: CallOptions | None = None) -> Listing[LinkVersion]: ...
    @overload
    def link_history(self, *, options: CallOptions | None = None, **fields: Unpack[LinkHistoryQuery]) -> Listing[LinkVersion]: ...
    def link_history(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[LinkVersion]:
        """Earlier destinations, rules and variants of a link, newest first. `GET /v1/link-history`"""
        return self._list("linkHistory", {**(body or {}), **fields}, options)

    @overload
    def revert_link(self, body: RevertLinkInput, /, *, options: CallOptions | None = None) -> Response[Link]: ...
    @overload
    def revert_link(self, *, options: CallOptions | None = None, **fields: Unpack[RevertLinkInput]) -> Response[Link]: ...
    def revert_link(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Link]:
        """Restore earlier destinations, rules and variants of a link. `POST /v1/revert-link`"""
        return self._call("revertLink", {**(body or {}), **fields}, options)

    @overload
    def generate_links(self, body: GenerateLinksInput, /, *, options: CallOptions | None = None) -> Response[list[Link]]: ...
    @overload
    def generate_links(self, *, options: CallOptions | None = None, **fields: Unpack[GenerateLinksInput]) -> Response[list[Link]]: ...
    def generate_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[list[Link]]:
        """Create up to 1,000 short links, all or none. `POST /v1/generate-links`"""
        return self._call("generateLinks", {**(body or {}), **fields}, options)

    @overload
    def export_links(self, body: ExportLinksQuery | None = None, /, *, options: CallOptions | None = None) -> str: ...
    @overload
    def export_links(self, *, options: CallOptions | None = None, **fields: Unpack[ExportLinksQuery]) -> str: ...
    def export_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> str:
        """All short links that match the filters, newest first, as a CSV file. `GET /v1/export-links`"""
        return self._call("exportLinks", {**(body or {}), **fields}, options)

    @overload
    def print_code(self, body: PrintCodeQuery, /, *, options: CallOptions | None = None) -> bytes: ...
    @overload
    def print_code(self, *, options: CallOptions | None = None, **fields: Unpack[PrintCodeQuery]) -> bytes: ...
    def print_code(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> bytes:
        """A QR code or barcode for print, with its width in millimetres. `GET /v1/print-code`"""
        return self._call("printCode", {**(body or {}), **fields}, options)

    @overload
    def generate_codes(self, body: GenerateCodesInput | None = None, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def generate_codes(self, *, options: CallOptions | None = None, **fields: Unpack[GenerateCodesInput]) -> Response[dict[str, Any]]: ...
    def generate_codes(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Create up to 1,000 QR codes and barcodes, all or none. `POST /v1/generate-codes`"""
        return self._call("generateCodes", {**(body or {}), **fields}, options)

    @overload
    def export_codes(self, body: ExportCodesQuery, /, *, options: CallOptions | None = None) -> bytes: ...
    @overload
    def export_codes(self, *, options: CallOptions | None = None, **fields: Unpack[ExportCodesQuery]) -> bytes: ...
    def export_codes(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> bytes:
        """Pictures of QR codes and barcodes as a ZIP file with a manifest. `GET /v1/export-codes`"""
        return self._call("exportCodes", {**(body or {}), **fields}, options)

    @overload
    def bulk_edit_links(self, body: BulkEditLinksInput, /, *, options: CallOptions | None = None) -> Response[BulkEdit]: ...
    @overload
    def bulk_edit_links(self, *, options: CallOptions | None = None, **fields: Unpack[BulkEditLinksInput]) -> Response[BulkEdit]: ...
    def bulk_edit_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[BulkEdit]:
        """Tag, untag, archive, expire or remove many short links. `POST /v1/bulk-edit-links`"""
        return self._call("bulkEditLinks", {**(body or {}), **fields}, options)

    @overload
    def bulk_edits(self, body: BulkEditsQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[BulkEdit]: ...
    @overload
    def bulk_edits(self, *, options: CallOptions | None = None, **fields: Unpack[BulkEditsQuery]) -> Listing[BulkEdit]: ...
    def bulk_edits(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[BulkEdit]:
        """List bulk edits with their progress, newest first. `GET /v1/bulk-edits`"""
        return self._list("bulkEdits", {**(body or {}), **fields}, options)

    @overload
    def undo_bulk_edit(self, body: UndoBulkEditInput, /, *, options: CallOptions | None = None) -> Response[BulkEdit]: ...
    @overload
    def undo_bulk_edit(self, *, options: CallOptions | None = None, **fields: Unpack[UndoBulkEditInput]) -> Response[BulkEdit]: ...
    def undo_bulk_edit(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[BulkEdit]:
        """Stop a bulk edit and undo its changes. `POST /v1/undo-bulk-edit`"""
        return self._call("undoBulkEdit", {**(body or {}), **fields}, options)

    @overload
    def import_links(self, body: ImportLinksInput, /, *, options: CallOptions | None = None) -> Response[list[Link]]: ...
    @overload
    def import_links(self, *, options: CallOptions | None = None, **fields: Unpack[ImportLinksInput]) -> Response[list[Link]]: ...
    def import_links(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[list[Link]]:
        """Import short links from a file: at once, after a preview, or in the background. `POST /v1/import-links`"""
        return self._call("importLinks", {**(body or {}), **fields}, options)

    @overload
    def imports(self, body: ImportsQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[Import]: ...
    @overload
    def imports(self, *, options: CallOptions | None = None, **fields: Unpack[ImportsQuery]) -> Listing[Import]: ...
    def imports(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[Import]:
        """List imports with their previews, progress and problems, newest first. `GET /v1/imports`"""
        return self._list("imports", {**(body or {}), **fields}, options)

    @overload
    def run_import(self, body: RunImportInput, /, *, options: CallOptions | None = None) -> Response[Import]: ...
    @overload
    def run_import(self, *, options: CallOptions | None = None, **fields: Unpack[RunImportInput]) -> Response[Import]: ...
    def run_import(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Import]:
        """Start an import that was uploaded for a preview. `POST /v1/run-import`"""
        return self._call("runImport", {**(body or {}), **fields}, options)

    @overload
    def undo_import(self, body: UndoImportInput, /, *, options: CallOptions | None = None) -> Response[Import]: ...
    @overload
    def undo_import(self, *, options: CallOptions | None = None, **fields: Unpack[UndoImportInput]) -> Response[Import]: ...
    def undo_import(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Import]:
        """Stop an import and remove every short link that it created. `POST /v1/undo-import`"""
        return self._call("undoImport", {**(body or {}), **fields}, options)

    @overload
    def trash(self, body: TrashQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[TrashItem]: ...
    @overload
    def trash(self, *, options: CallOptions | None = None, **fields: Unpack[TrashQuery]) -> Listing[TrashItem]: ...
    def trash(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[TrashItem]:
        """List removed resources that can still be restored, latest first. `GET /v1/trash`"""
        return self._list("trash", {**(body or {}), **fields}, options)

    @overload
    def restore(self, body: RestoreInput, /, *, options: CallOptions | None = None) -> Response[RestoredResources]: ...
    @overload
    def restore(self, *, options: CallOptions | None = None, **fields: Unpack[RestoreInput]) -> Response[RestoredResources]: ...
    def restore(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RestoredResources]:
        """Restore up to 1,000 removed resources, all or none. `POST /v1/restore`"""
        return self._call("restore", {**(body or {}), **fields}, options)

    @overload
    def erase(self, body: EraseInput, /, *, options: CallOptions | None = None) -> Response[ErasedResources]: ...
    @overload
    def erase(self, *, options: CallOptions | None = None, **fields: Unpack[EraseInput]) -> Response[ErasedResources]: ...
    def erase(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[ErasedResources]:
        """Erase up to 100 removed resources for good, all or none. `POST /v1/erase`"""
        return self._call("erase", {**(body or {}), **fields}, options)

    def profile(self, *, options: CallOptions | None = None) -> Response[Profile]:
        """The profile of the caller. `GET /v1/profile`"""
        return self._call("profile", None, options)

    def brand_kit(self, *, options: CallOptions | None = None) -> Response[BrandKit]:
        """The colours, font, logo and styles that the account uses for new codes and pages. `GET /v1/brand-kit`"""
        return self._call("brandKit", None, options)

    @overload
    def edit_brand_kit(self, body: BrandKitEdit | BrandKit | None = None, /, *, options: CallOptions | None = None) -> Response[BrandKit]: ...
    @overload
    def edit_brand_kit(self, *, options: CallOptions | None = None, **fields: Unpack[BrandKitEdit]) -> Response[BrandKit]: ...
    def edit_brand_kit(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[BrandKit]:
        """Change the brand kit; existing codes and pages do not change. `POST /v1/edit-brand-kit`"""
        return self._call("editBrandKit", {**(body or {}), **fields}, options)

    def takeout(self, *, options: CallOptions | None = None) -> bytes:
        """All data of the account, including clicks and files, as one archive (.tar.gz). `GET /v1/takeout`"""
        return self._call("takeout", None, options)

    @overload
    def invoices(self, body: InvoicesQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[Invoice]: ...
    @overload
    def invoices(self, *, options: CallOptions | None = None, **fields: Unpack[InvoicesQuery]) -> Listing[Invoice]: ...
    def invoices(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[Invoice]:
        """List invoices, newest first. `GET /v1/invoices`"""
        return self._list("invoices", {**(body or {}), **fields}, options)

    def domains(self, *, options: CallOptions | None = None) -> Response[list[Domain]]:
        """The domains that links and pages of the caller may use; records and settings need the role admin and a signature. `GET /v1/domains`"""
        return self._call("domains", None, options)

    @overload
    def add_domain(self, body: AddDomainInput, /, *, options: CallOptions | None = None) -> Response[Domain]: ...
    @overload
    def add_domain(self, *, options: CallOptions | None = None, **fields: Unpack[AddDomainInput]) -> Response[Domain]: ...
    def add_domain(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Domain]:
        """Add a domain; it can be used once its DNS record is verified. `POST /v1/add-domain`"""
        return self._call("addDomain", {**(body or {}), **fields}, options)

    @overload
    def verify_domain(self, body: VerifyDomainInput, /, *, options: CallOptions | None = None) -> Response[Domain]: ...
    @overload
    def verify_domain(self, *, options: CallOptions | None = None, **fields: Unpack[VerifyDomainInput]) -> Response[Domain]: ...
    def verify_domain(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Domain]:
        """Check the DNS TXT record that proves control of the domain. `POST /v1/verify-domain`"""
        return self._call("verifyDomain", {**(body or {}), **fields}, options)

    @overload
    def check_domain(self, body: CheckDomainInput, /, *, options: CallOptions | None = None) -> Response[DomainCheck]: ...
    @overload
    def check_domain(self, *, options: CallOptions | None = None, **fields: Unpack[CheckDomainInput]) -> Response[DomainCheck]: ...
    def check_domain(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[DomainCheck]:
        """Look up the DNS records of a domain and whether it responds over HTTPS. `POST /v1/check-domain`"""
        return self._call("checkDomain", {**(body or {}), **fields}, options)

    @overload
    def edit_domain(self, body: EditDomainInput | Domain, /, *, options: CallOptions | None = None) -> Response[Domain]: ...
    @overload
    def edit_domain(self, *, options: CallOptions | None = None, **fields: Unpack[EditDomainInput]) -> Response[Domain]: ...
    def edit_domain(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Domain]:
        """Change the destinations of a domain and the look of its notices. `POST /v1/edit-domain`"""
        return self._call("editDomain", {**(body or {}), **fields}, options)

    @overload
    def remove_domain(self, body: RemoveDomainInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def remove_domain(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveDomainInput]) -> Response[dict[str, Any]]: ...
    def remove_domain(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Remove a domain that nothing uses. `POST /v1/remove-domain`"""
        return self._call("removeDomain", {**(body or {}), **fields}, options)

    def webhooks(self, *, options: CallOptions | None = None) -> Response[list[Webhook]]:
        """The webhooks of the caller. `GET /v1/webhooks`"""
        return self._call("webhooks", None, options)

    @overload
    def add_webhook(self, body: AddWebhookInput, /, *, options: CallOptions | None = None) -> Response[NewWebhook]: ...
    @overload
    def add_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[AddWebhookInput]) -> Response[NewWebhook]: ...
    def add_webhook(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[NewWebhook]:
        """Add a webhook; the secret that signs its deliveries is shown only once. `POST /v1/add-webhook`"""
        return self._call("addWebhook", {**(body or {}), **fields}, options)

    @overload
    def edit_webhook(self, body: EditWebhookInput | Webhook, /, *, options: CallOptions | None = None) -> Response[Webhook]: ...
    @overload
    def edit_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[EditWebhookInput]) -> Response[Webhook]: ...
    def edit_webhook(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Webhook]:
        """Change the address or the events of a webhook, or enable or disable it. `POST /v1/edit-webhook`"""
        return self._call("editWebhook", {**(body or {}), **fields}, options)

    @overload
    def remove_webhook(self, body: RemoveOne, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveOne]) -> Response[RemovedResources]: ...
    @overload
    def remove_webhook(self, body: RemoveMany, /, *, options: CallOptions | None = None) -> Response[RemovedResources]: ...
    @overload
    def remove_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMany]) -> Response[RemovedResources]: ...
    def remove_webhook(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[RemovedResources]:
        """Remove webhooks and their pending deliveries. `POST /v1/remove-webhook`"""
        return self._call("removeWebhook", {**(body or {}), **fields}, options)

    @overload
    def test_webhook(self, body: TestWebhookInput, /, *, options: CallOptions | None = None) -> Response[TestedWebhookDelivery]: ...
    @overload
    def test_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[TestWebhookInput]) -> Response[TestedWebhookDelivery]: ...
    def test_webhook(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[TestedWebhookDelivery]:
        """Send the event webhook.test once, and return the request and the response. `POST /v1/test-webhook`"""
        return self._call("testWebhook", {**(body or {}), **fields}, options)

    @overload
    def rotate_webhook_secret(self, body: RotateWebhookSecretInput, /, *, options: CallOptions | None = None) -> Response[NewWebhook]: ...
    @overload
    def rotate_webhook_secret(self, *, options: CallOptions | None = None, **fields: Unpack[RotateWebhookSecretInput]) -> Response[NewWebhook]: ...
    def rotate_webhook_secret(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[NewWebhook]:
        """Replace the secret; for 24 hours deliveries are signed with both. `POST /v1/rotate-webhook-secret`"""
        return self._call("rotateWebhookSecret", {**(body or {}), **fields}, options)

    @overload
    def redeliver_webhook(self, body: RedeliverWebhookInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def redeliver_webhook(self, *, options: CallOptions | None = None, **fields: Unpack[RedeliverWebhookInput]) -> Response[dict[str, Any]]: ...
    def redeliver_webhook(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Send one finished delivery again, or all since a time. `POST /v1/redeliver-webhook`"""
        return self._call("redeliverWebhook", {**(body or {}), **fields}, options)

    @overload
    def webhook_deliveries(self, body: WebhookDeliveriesQuery, /, *, options: CallOptions | None = None) -> Response[list[WebhookDelivery]]: ...
    @overload
    def webhook_deliveries(self, *, options: CallOptions | None = None, **fields: Unpack[WebhookDeliveriesQuery]) -> Response[list[WebhookDelivery]]: ...
    def webhook_deliveries(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[list[WebhookDelivery]]:
        """The latest deliveries of a webhook with their results, newest first. `GET /v1/webhook-deliveries`"""
        return self._call("webhookDeliveries", {**(body or {}), **fields}, options)

    @overload
    def sign_up(self, body: SignUpInput, /, *, options: CallOptions | None = None) -> Response[Profile]: ...
    @overload
    def sign_up(self, *, options: CallOptions | None = None, **fields: Unpack[SignUpInput]) -> Response[Profile]: ...
    def sign_up(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile]:
        """Create an account and begin a session. `POST /v1/sign-up`"""
        return self._call("signUp", {**(body or {}), **fields}, options)

    @overload
    def sign_in(self, body: SignInInput, /, *, options: CallOptions | None = None) -> Response[Profile | SecondFactorStep]: ...
    @overload
    def sign_in(self, *, options: CallOptions | None = None, **fields: Unpack[SignInInput]) -> Response[Profile | SecondFactorStep]: ...
    def sign_in(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile | SecondFactorStep]:
        """Begin a session; with a second factor set up, 202 and a challenge for `verify-second-factor`. `POST /v1/sign-in`"""
        return self._call("signIn", {**(body or {}), **fields}, options)

    @overload
    def begin_oidc(self, body: BeginOidcInput | None = None, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def begin_oidc(self, *, options: CallOptions | None = None, **fields: Unpack[BeginOidcInput]) -> Response[dict[str, Any]]: ...
    def begin_oidc(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Begin a sign-in with the OpenID provider: the address to open. `POST /v1/begin-oidc`"""
        return self._call("beginOidc", {**(body or {}), **fields}, options)

    @overload
    def sign_in_with_oidc(self, body: SignInWithOidcInput, /, *, options: CallOptions | None = None) -> Response[Profile | SecondFactorStep]: ...
    @overload
    def sign_in_with_oidc(self, *, options: CallOptions | None = None, **fields: Unpack[SignInWithOidcInput]) -> Response[Profile | SecondFactorStep]: ...
    def sign_in_with_oidc(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile | SecondFactorStep]:
        """Complete a sign-in with the OpenID provider; 202 as `sign-in` where a second factor is set up. `POST /v1/sign-in-with-oidc`"""
        return self._call("signInWithOidc", {**(body or {}), **fields}, options)

    @overload
    def sign_in_with_link(self, body: SignInWithLinkInput, /, *, options: CallOptions | None = None) -> Response[Profile | SecondFactorStep]: ...
    @overload
    def sign_in_with_link(self, *, options: CallOptions | None = None, **fields: Unpack[SignInWithLinkInput]) -> Response[Profile | SecondFactorStep]: ...
    def sign_in_with_link(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile | SecondFactorStep]:
        """Sign in with the link of `waymark user sign-in-link`; 202 as `sign-in` with a second factor. `POST /v1/sign-in-with-link`"""
        return self._call("signInWithLink", {**(body or {}), **fields}, options)

    @overload
    def verify_second_factor(self, body: VerifySecondFactorInput, /, *, options: CallOptions | None = None) -> Response[Profile]: ...
    @overload
    def verify_second_factor(self, *, options: CallOptions | None = None, **fields: Unpack[VerifySecondFactorInput]) -> Response[Profile]: ...
    def verify_second_factor(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile]:
        """Complete a sign-in with a code of the authenticator app, a passkey or a recovery code. `POST /v1/verify-second-factor`"""
        return self._call("verifySecondFactor", {**(body or {}), **fields}, options)

    @overload
    def passkey_sign_in_options(self, body: PasskeySignInOptionsInput | None = None, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def passkey_sign_in_options(self, *, options: CallOptions | None = None, **fields: Unpack[PasskeySignInOptionsInput]) -> Response[dict[str, Any]]: ...
    def passkey_sign_in_options(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """What the browser needs for signing in with a passkey. `POST /v1/passkey-sign-in-options`"""
        return self._call("passkeySignInOptions", {**(body or {}), **fields}, options)

    @overload
    def sign_in_with_passkey(self, body: SignInWithPasskeyInput, /, *, options: CallOptions | None = None) -> Response[Profile]: ...
    @overload
    def sign_in_with_passkey(self, *, options: CallOptions | None = None, **fields: Unpack[SignInWithPasskeyInput]) -> Response[Profile]: ...
    def sign_in_with_passkey(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Profile]:
        """Sign in with a passkey alone. `POST /v1/sign-in-with-passkey`"""
        return self._call("signInWithPasskey", {**(body or {}), **fields}, options)

    @overload
    def forgot_password(self, body: ForgotPasswordInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def forgot_password(self, *, options: CallOptions | None = None, **fields: Unpack[ForgotPasswordInput]) -> Response[dict[str, Any]]: ...
    def forgot_password(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Send a mail with a link that sets a new password. `POST /v1/forgot-password`"""
        return self._call("forgotPassword", {**(body or {}), **fields}, options)

    @overload
    def reset_password(self, body: ResetPasswordInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def reset_password(self, *, options: CallOptions | None = None, **fields: Unpack[ResetPasswordInput]) -> Response[dict[str, Any]]: ...
    def reset_password(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Set a new password with the token from the mail; ends sessions, revokes keys, disables webhooks. `POST /v1/reset-password`"""
        return self._call("resetPassword", {**(body or {}), **fields}, options)

    @overload
    def check_reset(self, body: CheckResetInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def check_reset(self, *, options: CallOptions | None = None, **fields: Unpack[CheckResetInput]) -> Response[dict[str, Any]]: ...
    def check_reset(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Whether a password reset may keep API keys and webhooks. `POST /v1/check-reset`"""
        return self._call("checkReset", {**(body or {}), **fields}, options)

    @overload
    def confirm_email(self, body: ConfirmEmailInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def confirm_email(self, *, options: CallOptions | None = None, **fields: Unpack[ConfirmEmailInput]) -> Response[dict[str, Any]]: ...
    def confirm_email(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Confirm an email address with the token from a mail. `POST /v1/confirm-email`"""
        return self._call("confirmEmail", {**(body or {}), **fields}, options)

    @overload
    def cancel_email_change(self, body: CancelEmailChangeInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def cancel_email_change(self, *, options: CallOptions | None = None, **fields: Unpack[CancelEmailChangeInput]) -> Response[dict[str, Any]]: ...
    def cancel_email_change(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """Cancel a change of the email address with the token from the mail to the current address. `POST /v1/cancel-email-change`"""
        return self._call("cancelEmailChange", {**(body or {}), **fields}, options)

    def instance(self, *, options: CallOptions | None = None) -> Response[Instance]:
        """Settings of the instance that the dashboard needs before sign-in. `GET /v1/instance`"""
        return self._call("instance", None, options)

    def workspaces(self, *, options: CallOptions | None = None) -> Response[list[Workspace]]:
        """The workspaces that you are a member of; with a key of any but your first workspace, this one alone. `GET /v1/workspaces`"""
        return self._call("workspaces", None, options)

    @overload
    def create_workspace(self, body: CreateWorkspaceInput, /, *, options: CallOptions | None = None) -> Response[Workspace]: ...
    @overload
    def create_workspace(self, *, options: CallOptions | None = None, **fields: Unpack[CreateWorkspaceInput]) -> Response[Workspace]: ...
    def create_workspace(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Workspace]:
        """Create a workspace; you are its owner. `POST /v1/create-workspace`"""
        return self._call("createWorkspace", {**(body or {}), **fields}, options)

    @overload
    def edit_workspace(self, body: EditWorkspaceInput | None = None, /, *, options: CallOptions | None = None) -> Response[Workspace]: ...
    @overload
    def edit_workspace(self, *, options: CallOptions | None = None, **fields: Unpack[EditWorkspaceInput]) -> Response[Workspace]: ...
    def edit_workspace(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Workspace]:
        """Edit the workspace. `POST /v1/edit-workspace`"""
        return self._call("editWorkspace", {**(body or {}), **fields}, options)

    @overload
    def remove_workspace(self, body: RemoveWorkspaceInput | None = None, /, *, options: CallOptions | None = None) -> Response[Removed]: ...
    @overload
    def remove_workspace(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveWorkspaceInput]) -> Response[Removed]: ...
    def remove_workspace(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Removed]:
        """Remove the workspace and everything in it, for good. `POST /v1/remove-workspace`"""
        return self._call("removeWorkspace", {**(body or {}), **fields}, options)

    def members(self, *, options: CallOptions | None = None) -> Response[list[Member]]:
        """The members of the workspace. `GET /v1/members`"""
        return self._call("members", None, options)

    @overload
    def edit_member(self, body: EditMemberInput | Member, /, *, options: CallOptions | None = None) -> Response[Member]: ...
    @overload
    def edit_member(self, *, options: CallOptions | None = None, **fields: Unpack[EditMemberInput]) -> Response[Member]: ...
    def edit_member(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Member]:
        """Change the role of a member. `POST /v1/edit-member`"""
        return self._call("editMember", {**(body or {}), **fields}, options)

    @overload
    def remove_member(self, body: RemoveMemberInput, /, *, options: CallOptions | None = None) -> Response[Removed]: ...
    @overload
    def remove_member(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveMemberInput]) -> Response[Removed]: ...
    def remove_member(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Removed]:
        """Remove a member, with the keys and tokens that the member created. `POST /v1/remove-member`"""
        return self._call("removeMember", {**(body or {}), **fields}, options)

    def invitations(self, *, options: CallOptions | None = None) -> Response[list[Invitation]]:
        """Invitations that were not accepted yet. `GET /v1/invitations`"""
        return self._call("invitations", None, options)

    @overload
    def invite_member(self, body: InviteMemberInput, /, *, options: CallOptions | None = None) -> Response[NewInvitation]: ...
    @overload
    def invite_member(self, *, options: CallOptions | None = None, **fields: Unpack[InviteMemberInput]) -> Response[NewInvitation]: ...
    def invite_member(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[NewInvitation]:
        """Invite someone; the link works once within 7 days. `POST /v1/invite-member`"""
        return self._call("inviteMember", {**(body or {}), **fields}, options)

    @overload
    def remove_invitation(self, body: RemoveInvitationInput, /, *, options: CallOptions | None = None) -> Response[Removed]: ...
    @overload
    def remove_invitation(self, *, options: CallOptions | None = None, **fields: Unpack[RemoveInvitationInput]) -> Response[Removed]: ...
    def remove_invitation(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[Removed]:
        """Withdraw an invitation. `POST /v1/remove-invitation`"""
        return self._call("removeInvitation", {**(body or {}), **fields}, options)

    @overload
    def check_invitation(self, body: CheckInvitationInput, /, *, options: CallOptions | None = None) -> Response[dict[str, Any]]: ...
    @overload
    def check_invitation(self, *, options: CallOptions | None = None, **fields: Unpack[CheckInvitationInput]) -> Response[dict[str, Any]]: ...
    def check_invitation(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Response[dict[str, Any]]:
        """What an invitation is to, before it is accepted. `POST /v1/check-invitation`"""
        return self._call("checkInvitation", {**(body or {}), **fields}, options)

    @overload
    def audit_log(self, body: AuditLogQuery | None = None, /, *, options: CallOptions | None = None) -> Listing[AuditEntry]: ...
    @overload
    def audit_log(self, *, options: CallOptions | None = None, **fields: Unpack[AuditLogQuery]) -> Listing[AuditEntry]: ...
    def audit_log(self, body: Any = None, /, *, options: CallOptions | None = None, **fields: Any) -> Listing[AuditEntry]:
        """Who changed what in the workspace, newest first. `GET /v1/audit-log`"""
        return self._list("auditLog", {**(body or {}), **fields}, options)
