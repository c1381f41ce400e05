/** The content of a QR code besides a URL: fields that are encoded by the standard of their type. */
export type CodeContent =
  | WifiContent
  | ContactContent
  | EventContent
  | { type: 'email'; to: string; subject?: Given; body?: Given }
  | { type: 'sms'; number: string; message?: Given }
  | { type: 'phone'; number: string }
  | { type: 'location'; latitude: number; longitude: number }
  | { type: 'text'; text: string }
  | SepaContent

type Given = string | null | undefined

interface WifiContent {
  type: 'wifi'
  ssid: string
  password?: Given
  /** Default: `WPA` with a password, else `none`. */
  security?: 'WPA' | 'WEP' | 'none' | null | undefined
  hidden?: boolean | null | undefined
}

interface ContactContent {
  type: 'contact'
  first_name?: Given
  last_name?: Given
  organisation?: Given
  title?: Given
  phone?: Given
  mobile?: Given
  email?: Given
  website?: Given
  street?: Given
  city?: Given
  postcode?: Given
  country?: Given
  note?: Given
}

interface EventContent {
  type: 'event'
  title: string
  /** A day (`2026-11-18`) or an instant (`2026-11-18T19:30:00+01:00`; UTC without an offset). */
  starts_at: string
  /** Like `starts_at`: the last day, or the instant of the end. */
  ends_at?: Given
  location?: Given
  description?: Given
}

interface SepaContent {
  type: 'sepa'
  name: string
  iban: string
  bic?: Given
  amount?: number | null | undefined
  /** The structured reference of a creditor, instead of `text`. */
  reference?: Given
  text?: Given
}

/** The exact payload of a content. The fields have been validated; this only escapes and formats them. */
export function contentPayload(content: CodeContent): string {
  const write = WRITERS[content.type] as (content: CodeContent) => string
  return write(content)
}

/** The display name of each type. */
export const CONTENT_NAMES: Readonly<Record<CodeContent['type'], string>> = {
  wifi: 'Wi-Fi',
  contact: 'Contact',
  event: 'Event',
  email: 'Email',
  sms: 'Text message',
  phone: 'Phone call',
  location: 'Location',
  text: 'Text',
  sepa: 'SEPA transfer',
}

/** The error correction that the standard of a content prescribes: EPC069-12 level M. */
export const contentLevel = (type: CodeContent['type']): 'M' | undefined =>
  type === 'sepa' ? 'M' : undefined

const MAX_LABEL = 60

/** A content in a few words, such as `Wi-Fi: Guests`. */
export function contentLabel(content: CodeContent): string {
  const { first_name, last_name, ...rest } = content as Partial<Record<string, string | number | null>>
  const person = [first_name, last_name].filter(Boolean).join(' ')
  const place = content.type === 'location' ? `${content.latitude}, ${content.longitude}` : ''
  const names = ['ssid', 'organisation', 'title', 'to', 'number', 'name', 'text'].map((name) => rest[name])
  const what = String([person, place, ...names].find(Boolean) ?? '')
  return `${CONTENT_NAMES[content.type]}: ${Array.from(what).slice(0, MAX_LABEL).join('')}`
}

const WRITERS: { [Type in CodeContent['type']]: (content: Extract<CodeContent, { type: Type }>) => string } =
  {
    wifi: writeWifi,
    contact: writeContact,
    event: writeEvent,
    email: writeEmail,
    // Every scanner app supports this form; with the `sms:` URL of RFC 5724 some phones lose the message.
    sms: ({ number, message }) => `SMSTO:${dialled(number)}:${message ?? ''}`,
    phone: ({ number }) => `tel:${dialled(number)}`,
    location: ({ latitude, longitude }) => `geo:${degrees(latitude)},${degrees(longitude)}`,
    text: ({ text }) => text,
    sepa: writeSepa,
  }

/** The form introduced by ZXing, which the Wi-Fi Alliance has since specified (WPA3, section 7). */
function writeWifi({ ssid, password, security, hidden }: WifiContent): string {
  const escaped = (text: string): string => text.replaceAll(/[\\;,:"]/g, String.raw`\$&`)
  const hasPassword = isGiven(password)
  const kind = security ?? (hasPassword ? 'WPA' : 'none')
  const parts = [
    kind === 'none' ? 'T:nopass' : `T:${kind}`,
    `S:${escaped(ssid)}`,
    ...(hasPassword ? [`P:${escaped(password)}`] : []),
    ...(hidden === true ? ['H:true'] : []),
  ]
  return `WIFI:${parts.join(';')};;`
}

/** TEXT of vCard (RFC 2426) and iCalendar (RFC 5545). */
const escapedText = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|[\r\n]/g, String.raw`\n`)

const isGiven = (text: Given): text is string => text !== null && text !== undefined && text !== ''

/** `NAME:value`, if there is a value. */
const property = (name: string, value: Given): string[] =>
  isGiven(value) ? [`${name}:${escapedText(value)}`] : []

/** Fields of one property, separated by semicolons; empty if none is given. */
const structured = (name: string, values: readonly Given[]): string[] =>
  values.some(isGiven) ? [`${name}:${values.map((value) => escapedText(value ?? '')).join(';')}`] : []

const lines = (all: readonly string[]): string => `${all.join('\r\n')}\r\n`

/** vCard 3.0. Lines are not folded, which is only recommended and not supported by some scanner apps. */
function writeContact(content: ContactContent): string {
  const { first_name, last_name, organisation, street, city, postcode, country } = content
  const name = [first_name, last_name].filter(isGiven).join(' ')
  return lines([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escapedText(last_name ?? '')};${escapedText(first_name ?? '')};;;`,
    `FN:${escapedText(name === '' ? (organisation ?? '') : name)}`,
    ...property('ORG', organisation),
    ...property('TITLE', content.title),
    ...(isGiven(content.phone) ? [`TEL;TYPE=WORK,VOICE:${dialled(content.phone)}`] : []),
    ...(isGiven(content.mobile) ? [`TEL;TYPE=CELL:${dialled(content.mobile)}`] : []),
    ...property('EMAIL', content.email),
    // A URI, not TEXT: nothing in it is escaped.
    ...(isGiven(content.website) ? [`URL:${content.website}`] : []),
    ...(structured('ADR', [street, city, postcode, country]).length === 0
      ? []
      : structured('ADR', [null, null, street, city, null, postcode, country])),
    ...property('NOTE', content.note),
    'END:VCARD',
  ])
}

/** An iCalendar with one event. Uid and timestamp are derived from its fields, so the same event gives the same text. */
function writeEvent({ title, starts_at, ends_at, location, description }: EventContent): string {
  const start = calendarTime(starts_at, 0)
  // In iCalendar an all-day event ends on the day after.
  const end = isGiven(ends_at) ? calendarTime(ends_at, 1) : start
  const event = [
    `DTSTART${start}`,
    // RFC 5545, 3.8.2.2: the end must be later than the start. An event without one ends when it begins.
    ...(end === start ? [] : [`DTEND${end}`]),
    ...property('SUMMARY', title),
    ...property('LOCATION', location),
    ...property('DESCRIPTION', description),
  ]
  return lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waymark//EN',
    'BEGIN:VEVENT',
    `UID:${fingerprint(event.join('\n'))}@waymark`,
    `DTSTAMP:${utcStamp(new Date(instantOf(starts_at)))}`,
    ...event,
    'END:VEVENT',
    'END:VCALENDAR',
  ])
}

const DAY_MS = 86_400_000
const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Milliseconds of a day (UTC) or an instant, which is UTC unless it names a zone. */
export function instantOf(value: string): number {
  if (isDay(value)) return Date.parse(`${value}T00:00:00Z`)
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`
  return Date.parse(zoned.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
}

const compact = (iso: string): string => iso.replaceAll(/[-:]/g, '')
const utcStamp = (date: Date): string => `${compact(date.toISOString().slice(0, 19))}Z`

function calendarTime(value: string, daysLater: number): string {
  if (!isDay(value)) return `:${utcStamp(new Date(instantOf(value)))}`
  const day = new Date(instantOf(value) + daysLater * DAY_MS).toISOString().slice(0, 10)
  return `;VALUE=DATE:${compact(day)}`
}

/** FNV-1a of 64 bits, in hexadecimal. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

/** RFC 6068. Line breaks are CR LF there. */
function writeEmail({ to, subject, body }: Extract<CodeContent, { type: 'email' }>): string {
  const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\r\n|[\r\n]/g, '\r\n'))
  const fields = [
    ...(isGiven(subject) ? [`subject=${encoded(subject)}`] : []),
    ...(isGiven(body) ? [`body=${encoded(body)}`] : []),
  ]
  const address = encodeURIComponent(to).replaceAll('%40', '@').replaceAll('%2B', '+')
  return `mailto:${address}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/** A phone number without formatting, and without the (0) of +44 (0)20, which is only dialled within the country. */
const dialled = (number: string): string =>
  number.replace(/^(\s*\+.*?)\(0\)/, '$1').replaceAll(/[^+0-9]/g, '')

const DEGREES = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 7 })

/** Decimal degrees with centimetre precision, never with an exponent. */
const degrees = (value: number): string => DEGREES.format(value + 0)

/** EPC069-12, version 002, in UTF-8. Empty elements at the end are omitted. */
function writeSepa({ name, iban, bic, amount, reference, text }: SepaContent): string {
  const value = amount == null ? '' : `EUR${amount.toFixed(2)}`
  const elements = ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, value, '', reference ?? '', text ?? '']
  return elements.slice(0, elements.findLastIndex((element) => element !== '') + 1).join('\n')
}
