import { z } from 'zod'
import { hasControls } from '../control-characters.ts'
import { isReserved, isRouted } from '../reserved-words.ts'
import { NO_IMAGE, UploadedFile } from '../uploads.ts'

const KILOBYTE = 1024
const UPLOAD_LIMIT_KILOBYTES = 2048

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** What each text of a request may contain: `single-line.test.ts` fails for a text that is not in this list. */
export const textKinds = z.registry<{
  readonly kind: 'single line' | 'multiple lines' | 'opaque' | 'ruled'
}>()

/** Text with a rule of its own, such as a URL or a colour. Name it with `singleLine`, `multiLine` or `opaque` if it has none. */
export const ruled = () => z.string().register(textKinds, { kind: 'ruled' })

/** Any storable text: PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 encoding. */
const storable = ruled().refine((value) => !value.includes('\0') && value.isWellFormed(), {
  error: 'Must not contain NUL or unpaired surrogates',
  abort: true,
})

/** Text of at most this many Unicode code points. */
const text = (max: number) =>
  storable
    .refine((value) => codePoints(value) <= max, `Must be at most ${max} characters`)
    .meta({ maxLength: max })

let storedTexts: ReadonlySet<string> = new Set()

/** Validates an edit of a resource that has these texts, which may be from before the rules about control characters. */
export function acceptingStored<T>(texts: ReadonlySet<string>, validation: () => T): T {
  storedTexts = texts
  try {
    return validation()
  } finally {
    storedTexts = new Set()
  }
}

const isOneLine = (value: string): boolean => !hasControls(value) || storedTexts.has(value)

const ONE_LINE = 'Must be one line of text without control characters'

/** A text that is shown on one line, such as a name, a title or a tag. */
export const singleLine = (max = 2048) =>
  text(max).refine(isOneLine, ONE_LINE).register(textKinds, { kind: 'single line' })

/** A text that may be shown on several lines, such as a description or a message. */
export const multiLine = (max = 2048) =>
  text(max)
    .refine(
      (value) => !hasControls(value.replaceAll(/[\t\n\r\u2028\u2029]/g, '')) || storedTexts.has(value),
      'Must not contain control characters other than tabs and line breaks',
    )
    .register(textKinds, { kind: 'multiple lines' })

/** A text that is compared or read by a machine rather than shown: a name of something, a password, a token, a search. */
export const opaque = (max = 2048) => text(max).register(textKinds, { kind: 'opaque' })

/** Like `opaque`; how long it may be depends on other fields. */
export const opaqueOfAnyLength = () => storable.clone().register(textKinds, { kind: 'opaque' })

/** Text that must not be empty. */
export const required = (schema: ReturnType<typeof text>) =>
  schema.refine((value) => value !== '', 'This field is required').meta({ minLength: 1 })

/** One line with a lower and an upper limit. */
export const singleLineBetween = (min: number, max: number) =>
  storable
    .refine((value) => {
      const length = codePoints(value)
      return length >= min && length <= max
    }, `Must be between ${min} and ${max} characters`)
    .refine(isOneLine, ONE_LINE)
    .register(textKinds, { kind: 'single line' })
    .meta({ minLength: min, maxLength: max })

/** Identifies a resource of the caller. Any text is accepted: an unknown one is 404, not 422. */
export const uuid = required(opaque()).meta({ description: 'Identifies the resource.' })

const URL_RULE = 'Must be a valid http or https URL'

/** The normalised form of a URL, or an error text. */
export const normaliseUrl = (value: string): { url: string } | { fault: string } => {
  const trimmed = value.trim()
  // The URL parser silently drops control characters and repairs missing slashes; stored URLs never need that.
  // oxlint-disable-next-line no-control-regex
  if (!/^https?:\/\/[^/\\?#]/i.test(trimmed) || /[\u0000-\u001f\u007f]/.test(trimmed))
    return { fault: URL_RULE }
  const url = URL.parse(trimmed)
  if (url === null || url.hostname === '') return { fault: URL_RULE }
  if (url.username !== '' || url.password !== '') return { fault: 'Must not carry a user name or password' }
  if (codePoints(trimmed) > 2048 || url.href.length > 2048)
    return { fault: 'Must be at most 2048 characters' }
  // The same host: a trailing dot only marks the name as complete.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return url.hostname.endsWith('.') ? { fault: URL_RULE } : { url: url.href }
}

const urlRead = (normalise: typeof normaliseUrl) =>
  storable
    .refine((value) => value !== '', { error: 'This field is required', abort: true })
    .transform((value, context) => {
      const result = normalise(value)
      if ('url' in result) return result.url
      context.issues.push({ code: 'custom', message: result.fault, input: value })
      return z.NEVER
    })
    .meta({ format: 'uri', maxLength: 2048 })

/** An http(s) address, returned in its normalised form. */
export const httpUrl = urlRead(normaliseUrl)

const contactRules: Readonly<Record<string, { readonly rule: RegExp; readonly fault: string }>> = {
  'tel:': { rule: /^tel:\+?[0-9*#().-]{2,64}$/, fault: 'Must be a phone number such as tel:+441632960001' },
  'sms:': {
    rule: /^sms:\+?[0-9().-]{2,64}(?:[?;&]body=[^\s"<>]*)?$/,
    fault: 'Must be a phone number such as sms:+441632960001',
  },
  'mailto:': {
    rule: /^mailto:[^\s@<>()",;:\\[\]?]+@[^\s@?"<>]+(?:\?[^\s"<>]*)?$/,
    fault: 'Must be an email address such as mailto:me@example.com',
  },
}

/** A phone number, text message or email address, trimmed and with its scheme in lower case. */
const normaliseContact: typeof normaliseUrl = (value) => {
  const trimmed = value.trim()
  const scheme = trimmed.slice(0, trimmed.indexOf(':') + 1).toLowerCase()
  const contact = contactRules[scheme]
  if (contact === undefined) return normaliseUrl(value)
  if (codePoints(trimmed) > 2048) return { fault: 'Must be at most 2048 characters' }
  const url = scheme + trimmed.slice(scheme.length).replaceAll(scheme === 'mailto:' ? /^ +/g : / /g, '')
  return contact.rule.test(url) && !hasControls(url) ? { url } : { fault: contact.fault }
}

/** An http(s) address, or a `tel:`, `sms:` or `mailto:` address. */
export const contactUrl = urlRead(normaliseContact)

/** `#rgb` or `#rrggbb`, converted to lower-case `#rrggbb`. */
export const hexColor = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'Must be a hex colour such as #1a2b3c')
  .transform((value) => {
    const digits = value.slice(1).toLowerCase()
    return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
  })

const RESERVED = 'This word is reserved'

/** Any text with the form of a short code, including reserved words. */
export const shortCodeText = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, hyphens or underscores')

/** A custom short code that a link may already have. */
export const shortCode = shortCodeText.refine((value) => !isRouted(value), RESERVED)

/** A custom short code for a new link. */
export const newShortCode = shortCode.refine((value) => !isReserved(value), RESERVED)

const slugWithout = (isTaken: (word: string) => boolean) =>
  storable
    .transform((value) => value.toLowerCase())
    .pipe(
      z
        .string()
        .min(1, { error: 'This field is required', abort: true })
        .max(255, 'Must be at most 255 characters')
        .regex(/^[a-z0-9-]*$/, 'Must be letters, digits and hyphens')
        .refine((value) => !isTaken(value), RESERVED),
    )
    .meta({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9-]+$' })

/** The slug of a page in lower case, including those that an existing page may have. */
export const slug = slugWithout(isRouted)

/** The slug of a new page. */
export const newSlug = slugWithout(isReserved)

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i

/** Later times have a year of five digits, which responses could only show in the expanded form of ISO 8601. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

const isCalendarDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Milliseconds of a `YYYY-MM-DD` (the end of that day) or an ISO 8601 time (UTC without an offset). */
export const readInstant = (value: string, endOfDay = true): number | undefined => {
  const match = DATE.exec(value) ?? DATE_TIME.exec(value)
  if (match === null || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined
  if (match[4] === undefined) return Date.parse(`${value}T${endOfDay ? '23:59:59.999' : '00:00:00.000'}Z`)
  const zone = match[7] === undefined ? 'Z' : match[7].replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const withoutZone = match[7] === undefined ? value : value.slice(0, -match[7].length)
  const at = Date.parse((withoutZone + zone).toUpperCase())
  return at <= LAST_INSTANT ? at : undefined
}

/** A day or an instant, parsed to epoch milliseconds. */
export const instant = (endOfDay = true) =>
  ruled()
    .transform((value, context) => {
      const at = readInstant(value, endOfDay)
      if (at !== undefined) return at
      context.issues.push({ code: 'custom', message: 'Must be YYYY-MM-DD or an ISO 8601 time', input: value })
      return z.NEVER
    })
    .meta({ description: '`YYYY-MM-DD` or ISO 8601.' })

/** When something ends. The clock is read here so that a past date is reported together with all other errors. */
export const expiry = instant().refine((at) => at > Date.now(), 'Must not be in the past')

/** A number within limits. */
export const numberBetween = (min: number, max: number) =>
  z.number().min(min, `Must be at least ${min}`).max(max, `Must be at most ${max}`)

/** A whole number within limits. */
export const integerBetween = (min: number, max: number, error?: string) =>
  z
    .number(error)
    .refine(Number.isInteger, { error: 'Must be a whole number', abort: true })
    .min(min, `Must be at least ${min}`)
    .max(max, `Must be at most ${max}`)
    .meta({ type: 'integer' })

// Bounded, so that no text is rounded to another number.
const DECIMAL_DIGITS = /^-?\d{1,15}$/

/** A whole number in a query, only in decimal digits: `0x10`, `1e3`, ` 10` and `1.0` are rejected. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && DECIMAL_DIGITS.test(value) ? Number(value) : value),
    integerBetween(min, max, `Must be a whole number from ${min} to ${max}`),
  )

const DECIMAL = /^\d{1,6}(?:\.\d{1,6})?$/

/** A number in a query that can have decimals. */
export const queryNumber = (min: number, max: number) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value),
      z
        .number({
          error: ({ input }) => (input === undefined ? undefined : `Must be a number from ${min} to ${max}`),
        })
        .min(min, `Must be at least ${min}`)
        .max(max, `Must be at most ${max}`),
    )
    .meta({ type: 'number', minimum: min, maximum: max })

/** 0 or 1. */
export const flag = z
  .literal([0, 1], { error: (issue) => (issue.input === undefined ? undefined : 'Must be 0 or 1') })
  .meta({ type: 'integer' })

const sizeFault = (file: UploadedFile): string | undefined =>
  file.size > UPLOAD_LIMIT_KILOBYTES * KILOBYTE
    ? `Must be at most ${UPLOAD_LIMIT_KILOBYTES} kilobytes`
    : undefined

const imageFault = (file: UploadedFile, formats: readonly string[] | undefined): string | undefined => {
  const tooLarge = sizeFault(file)
  if (tooLarge !== undefined) return tooLarge
  const isOtherFormat =
    file.image === undefined ? file.fault === NO_IMAGE : formats?.includes(file.image.source) === false
  if (formats !== undefined && isOtherFormat) return 'Must be a PNG or JPEG image'
  return file.image === undefined ? (file.fault ?? 'Must be an image') : undefined
}

const upload = (rule: string, faultOf: (file: UploadedFile) => string | undefined) =>
  z
    .custom<UploadedFile>((value) => value instanceof UploadedFile, rule)
    .check((context) => {
      const fault = context.value instanceof UploadedFile ? faultOf(context.value) : undefined
      if (fault !== undefined) context.issues.push({ code: 'custom', message: fault, input: context.value })
    })

/** An uploaded picture, decoded before the schema sees it. */
export const imageFile = (formats?: readonly string[]) =>
  upload('Must be an image', (file) => imageFault(file, formats)).meta({ type: 'string', format: 'binary' })

/** An uploaded text file; a separate type, so that it is not decoded as an image. */
export const textFile = (mediaType: string, mostBytes: number) =>
  upload('Must be a file', ({ size }) =>
    size > mostBytes ? `Must be at most ${mostBytes / KILOBYTE} kilobytes` : undefined,
  ).meta({ type: 'string', format: 'binary', 'x-media-type': mediaType })

/** The password rule: long enough, with all four kinds of characters. */
export const newPassword = storable
  .refine((value) => codePoints(value) <= 256, 'Must be at most 256 characters')
  .refine(
    (value) =>
      codePoints(value) >= 8 &&
      /\p{Ll}/u.test(value) &&
      /\p{Lu}/u.test(value) &&
      /\p{Nd}/u.test(value) &&
      /[^\p{L}\p{N}\s]/u.test(value),
    'Must be at least 8 characters with lower case, upper case, a digit and a symbol',
  )
  .meta({ minLength: 8, maxLength: 256, format: 'password' })

/** A rule about several fields of an object, and the field that gets the error. */
export type Refinement<T> = [
  isRight: (value: T) => boolean,
  options: { path: PropertyKey[]; error: string; when: (payload: { value: unknown }) => boolean },
]

/** The rule for a password that is entered twice; checked even if other fields are invalid. */
export const passwordsMatch = {
  path: ['confirm_password'],
  error: 'Must equal password',
  when: ({ value }: { value: unknown }): boolean => {
    const { password, confirm_password } = (value ?? {}) as Record<string, unknown>
    return typeof password === 'string' && typeof confirm_password === 'string'
  },
}

/** Whether a new password was entered the same way twice. */
export const isConfirmed = (value: { password: string; confirm_password: string }): boolean =>
  value.password === value.confirm_password

/** An email address, lower-cased: practical rather than RFC 5322. */
export const email = storable
  .transform((value) => value.trim().toLowerCase())
  .pipe(
    z
      .string()
      .max(254, 'Must be at most 254 characters')
      .regex(
        /^[^\s\p{Cc}@<>()",;:\\[\]]+@[^\s\p{Cc}@.]+(?:\.[^\s\p{Cc}@.]+)+$/u,
        'Must be a valid email address',
      ),
  )
  .meta({ format: 'email', maxLength: 254 })
