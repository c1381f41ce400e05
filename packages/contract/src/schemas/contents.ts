import { z } from 'zod'
import { described, named } from './described.ts'
import {
  email,
  httpUrl,
  multiLine,
  numberBetween,
  opaque,
  readInstant,
  required,
  singleLine,
} from './fields.ts'
import { switching } from './switching.ts'

/** Types of QR code contents besides a URL. */
export const CONTENT_TYPES = [
  'wifi',
  'contact',
  'event',
  'email',
  'sms',
  'phone',
  'location',
  'text',
  'sepa',
] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

const texts = {
  type: 'What the code is for.',
  ssid: 'Name of the network: 1 to 32 bytes of UTF-8.',
  password: 'Password of the network. WPA: 8 to 63 characters, or 64 hexadecimal digits.',
  security: '`WPA` (WPA, WPA2 and WPA3), `WEP` or `none`. Default: `WPA` with a password, else `none`.',
  hidden: 'Whether the network does not announce its name. Default false.',
  first_name: 'First name.',
  last_name: 'Last name. A contact needs a first name, a last name or an organisation.',
  organisation: 'Company or organisation.',
  title: 'Of a contact: the job title. Of an event: what it is called.',
  phone: 'Phone number at work.',
  mobile: 'Mobile phone number.',
  email: 'Email address.',
  website: 'An http or https URL.',
  street: 'Street and house number.',
  city: 'City.',
  postcode: 'Postal code.',
  country: 'Country.',
  note: 'A note.',
  starts_at: 'When the event begins: a day (`YYYY-MM-DD`) or an ISO 8601 time, UTC unless it has an offset.',
  ends_at: 'When it ends, in the form of `starts_at`. A day is the last day of the event.',
  location: 'Where the event takes place.',
  description: 'What the event is about.',
  to: 'Email address of the recipient.',
  subject: 'Subject of the email.',
  body: 'Text of the email.',
  number: 'Phone number, such as `+441632960001`.',
  message: 'Text of the message.',
  latitude: 'Degrees north, -90 to 90.',
  longitude: 'Degrees east, -180 to 180.',
  text: 'Of a text: what the code says. Of a SEPA transfer: the remittance text, at most 140 characters.',
  name: 'Name of the recipient, at most 70 characters.',
  iban: 'IBAN of the recipient.',
  bic: 'BIC of the bank, 8 or 11 characters. Not needed within the European Economic Area.',
  amount: 'Amount in euros, 0.01 to 999999999.99. Without one the payer enters it.',
  reference: "The creditor's structured reference (ISO 11649), instead of `text`.",
}

// A QR code has a capacity of 2331 bytes. Longer texts are reported with the size of the whole payload, so this is far above.
const MOST_TEXT = 20_000

const block = multiLine(MOST_TEXT)

const phoneNumber = singleLine(40).refine(
  (value) => /^\+?[0-9]{2,20}$/.test(value.replaceAll(/[ ()./-]/g, '')),
  'Must be a phone number such as +441632960001',
)

const bytesOf = (value: string): number => new TextEncoder().encode(value).length

const WEP_LENGTHS: ReadonlySet<number> = new Set([5, 13, 16, 29])
const WEP_HEX_LENGTHS: ReadonlySet<number> = new Set([10, 26, 32, 58])

/** The error of a network's password. */
function passwordFault(security: 'WPA' | 'WEP' | 'none', password: string): string | undefined {
  const isHex = /^[0-9a-fA-F]*$/.test(password)
  if (security === 'none') return password === '' ? undefined : 'A network without security has no password'
  if (password === '') return 'This field is required'
  if (security === 'WPA') {
    const { length } = Array.from(password)
    const isRight = (length >= 8 && length <= 63) || (length === 64 && isHex)
    return isRight ? undefined : 'Must be 8 to 63 characters, or 64 hexadecimal digits'
  }
  const isRight = WEP_LENGTHS.has(password.length) || (isHex && WEP_HEX_LENGTHS.has(password.length))
  return isRight
    ? undefined
    : 'Must be 5, 13, 16 or 29 characters, or 10, 26, 32 or 58 hexadecimal digits, for WEP'
}

const Security = z.enum(['WPA', 'WEP', 'none'])

const Wifi = named(
  'WifiContent',
  'Joins a Wi-Fi network.',
  z
    .object(
      described(texts, {
        type: z.literal('wifi'),
        ssid: required(singleLine(32)).refine(
          (value) => bytesOf(value) <= 32,
          'Must be at most 32 bytes of UTF-8',
        ),
        password: singleLine(64).nullish(),
        security: Security.nullish(),
        hidden: z.boolean().nullish(),
      }),
    )
    .check((context) => {
      const { security, password } = context.value
      const kind = security ?? ((password ?? '') === '' ? 'none' : 'WPA')
      const fault = passwordFault(kind, password ?? '')
      if (fault !== undefined)
        context.issues.push({ code: 'custom', message: fault, path: ['password'], input: password })
    }),
)

const contactFields = (mostLine: number, mostNote: number) => ({
  first_name: singleLine(mostLine).nullish(),
  last_name: singleLine(mostLine).nullish(),
  organisation: singleLine(mostLine).nullish(),
  title: singleLine(mostLine).nullish(),
  phone: phoneNumber.nullish(),
  mobile: phoneNumber.nullish(),
  email: email.nullish(),
  website: httpUrl.nullish(),
  street: singleLine(mostLine).nullish(),
  city: singleLine(mostLine).nullish(),
  postcode: singleLine(40).nullish(),
  country: singleLine(mostLine).nullish(),
  note: multiLine(mostNote).nullish(),
})

/** A page shows its contact, so it is limited to a readable length. */
const pageContactFields = contactFields(255, 4000)

const isNamed = (
  contact: Partial<Record<'first_name' | 'last_name' | 'organisation', string | null | undefined>>,
) => [contact.first_name, contact.last_name, contact.organisation].some(Boolean)
const nameless = {
  path: ['first_name'],
  error: 'A contact needs a first name, a last name or an organisation',
}

const Contact = named(
  'ContactContent',
  'A contact to save (vCard 3.0).',
  z
    .object(described(texts, { type: z.literal('contact'), ...contactFields(MOST_TEXT, MOST_TEXT) }))
    .refine(isNamed, nameless),
)

/** A contact on a page: the fields of a contact in a QR code. */
export const PageContactInput = named(
  'PageContactInput',
  'A contact of a page. Visitors save it as a vCard 3.0 file.',
  z
    .object(described({ ...texts, title: 'Job title.' }, pageContactFields), 'Must be an object')
    .refine(isNamed, nameless),
)

const contactNames = Object.keys(pageContactFields) as (keyof typeof pageContactFields)[]

/** A contact on a page in responses. */
export const PageContact = named(
  'PageContact',
  'A contact of a page.',
  z.object(
    described(
      { ...texts, title: 'Job title.' },
      Object.fromEntries(contactNames.map((name) => [name, z.string().nullable()])) as Record<
        keyof typeof pageContactFields,
        z.ZodNullable<z.ZodString>
      >,
    ),
  ),
)

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** iCalendar has years of four digits, also for the day after the last one. */
const [FIRST_INSTANT, LAST_INSTANT] = [Date.parse('0001-01-01T00:00Z'), Date.parse('9999-12-31T00:00Z')]

const dayOrTime = opaque(40).refine((value) => {
  const at = readInstant(value, false)
  return at !== undefined && at >= FIRST_INSTANT && at < LAST_INSTANT
}, 'Must be YYYY-MM-DD or an ISO 8601 time')

/** The error of an event's end. */
function endFault(startsAt: string, endsAt: string): string | undefined {
  if (isDay(startsAt) !== isDay(endsAt))
    return 'Must be a day if starts_at is a day, and a time if it is a time'
  const [start, end] = [readInstant(startsAt), readInstant(endsAt)]
  return start !== undefined && end !== undefined && end < start ? 'Must not be before starts_at' : undefined
}

const Event = named(
  'EventContent',
  'An event for the calendar (iCalendar).',
  z
    .object(
      described(texts, {
        type: z.literal('event'),
        title: required(singleLine(MOST_TEXT)),
        starts_at: dayOrTime,
        ends_at: dayOrTime.nullish(),
        location: singleLine(MOST_TEXT).nullish(),
        description: block.nullish(),
      }),
    )
    .check((context) => {
      const { starts_at, ends_at } = context.value
      const fault = ends_at ? endFault(starts_at, ends_at) : undefined
      if (fault !== undefined)
        context.issues.push({ code: 'custom', message: fault, path: ['ends_at'], input: ends_at })
    }),
)

const Email = named(
  'EmailContent',
  'An email to write.',
  z.object(
    described(texts, {
      type: z.literal('email'),
      to: email,
      subject: singleLine(MOST_TEXT).nullish(),
      body: block.nullish(),
    }),
  ),
)

const Sms = named(
  'SmsContent',
  'A text message to send.',
  z.object(described(texts, { type: z.literal('sms'), number: phoneNumber, message: block.nullish() })),
)

const Phone = named(
  'PhoneContent',
  'A phone number to call.',
  z.object(described(texts, { type: z.literal('phone'), number: phoneNumber })),
)

/** Degrees with centimetre precision, as in the code. */
const degrees = (most: number) =>
  // The sum converts -0 to 0.
  numberBetween(-most, most).transform((value) => Math.round(value * 1e7) / 1e7 + 0)

const Location = named(
  'LocationContent',
  'A place on the map.',
  z.object(described(texts, { type: z.literal('location'), latitude: degrees(90), longitude: degrees(180) })),
)

const Text = named(
  'TextContent',
  'A text to show.',
  z.object(described(texts, { type: z.literal('text'), text: required(opaque(MOST_TEXT)) })),
)

// SWIFT's registry: the length of each country's IBANs.
const IBAN_LENGTHS =
  'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27' +
  'GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22' +
  'MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28' +
  'TL23TN24TR26UA29VA22VG24XK20YE30'

/** Whether a text passes the check of ISO 7064 (modulo 97, remainder 1), with its first four characters moved to the end. */
function passesMod97(value: string): boolean {
  let rest = 0
  for (const character of value.slice(4) + value.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Removes blanks and converts to capitals. */
const account = (max: number) => singleLine(max).transform((value) => value.replaceAll(' ', '').toUpperCase())

const iban = account(64).refine((value) => {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(value)) return false
  return IBAN_LENGTHS.includes(value.slice(0, 2) + value.length) && passesMod97(value)
}, 'Must be a valid IBAN: check its digits')

const reference = account(50).refine(
  (value) => /^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(value) && passesMod97(value),
  'Must be a creditor reference such as RF18539007547034: use text for anything else',
)

const CENT = 100

const Sepa = named(
  'SepaContent',
  'A SEPA credit transfer (EPC069-12).',
  z
    .object(
      described(texts, {
        type: z.literal('sepa'),
        name: required(singleLine(70)),
        iban,
        bic: account(20)
          .refine(
            (value) => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(value),
            'Must be a BIC of 8 or 11 characters',
          )
          .nullish(),
        amount: numberBetween(0.01, 999_999_999.99)
          .refine(
            (value) => Math.abs(value * CENT - Math.round(value * CENT)) < 1e-4,
            'Must have at most two decimals',
          )
          .transform((value) => Math.round(value * CENT) / CENT)
          .nullish(),
        reference: reference.nullish(),
        text: singleLine(140).nullish(),
      }),
    )
    .refine((value) => !value.reference || !value.text, {
      path: ['text'],
      error: 'Give reference or text, not both',
    }),
)

const variants = {
  wifi: Wifi,
  contact: Contact,
  event: Event,
  email: Email,
  sms: Sms,
  phone: Phone,
  location: Location,
  text: Text,
  sepa: Sepa,
} satisfies Record<ContentType, z.ZodType>

/** The error for a content of an unknown type. */
const Unknown = z.object({ type: z.enum(CONTENT_TYPES) }, 'Must be an object with a type')

/** The content of a QR code instead of a URL. */
export const QrContent = switching(
  (value) => {
    const { type } = (value ?? {}) as { type?: unknown }
    // An unknown type is passed to the last variant, which reports it.
    return CONTENT_TYPES.includes(type as never) ? variants[type as ContentType] : (Unknown as never)
  },
  [Wifi, Contact, Event, Email, Sms, Phone, Location, Text, Sepa],
)

/** A content in responses: the given fields, or only its type for unsigned requests. */
export const ShownContent = named(
  'QrContent',
  'The content of a QR code instead of a URL. With the key alone only `type` is shown.',
  z.object({
    ...described(texts, {
      type: z.enum(CONTENT_TYPES),
      ...shown(['ssid', 'password', 'first_name', 'last_name', 'organisation', 'title', 'phone', 'mobile']),
      ...shown(['email', 'website', 'street', 'city', 'postcode', 'country', 'note', 'starts_at', 'ends_at']),
      ...shown(['location', 'description', 'to', 'subject', 'body', 'number', 'message', 'text']),
      ...shown(['name', 'iban', 'bic', 'reference']),
      security: Security.optional(),
      hidden: z.boolean().optional(),
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      amount: z.number().optional(),
    }),
  }),
)

function shown<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, z.string().optional()])) as Record<
    Name,
    z.ZodOptional<z.ZodString>
  >
}
