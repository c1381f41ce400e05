import { CONTENT_NAMES, type CodeContent, instantOf } from '@waymark/codes'
import type { QrCode } from '@waymark/sdk'

type ContentType = CodeContent['type']

/** Types of QR code contents. */
export type Purpose = 'url' | ContentType

/** The fields of a content as they are typed. */
export type TypedContent = Readonly<Record<string, string>>

export interface ContentField {
  readonly name: string
  readonly label: string
  readonly kind?: 'email' | 'tel' | 'url' | 'number' | 'time' | 'block' | 'security' | 'switch'
  readonly isRequired?: true
  readonly hint?: string
  readonly placeholder?: string
}

const required = (name: string, label: string, more: Partial<ContentField> = {}): ContentField => ({
  name,
  label,
  isRequired: true,
  ...more,
})
const optional = (name: string, label: string, more: Partial<ContentField> = {}): ContentField => ({
  name,
  label,
  ...more,
})

export const CONTENT_FIELDS: Readonly<Record<ContentType, readonly ContentField[]>> = {
  wifi: [
    required('ssid', 'Network name (SSID)'),
    optional('security', 'Security', { kind: 'security' }),
    required('password', 'Wi-Fi password', { hint: 'Everyone who can see the code can read it.' }),
    optional('hidden', 'Hidden network', {
      kind: 'switch',
      hint: 'The network does not announce its name.',
    }),
  ],
  contact: [
    optional('first_name', 'First name'),
    optional('last_name', 'Last name'),
    optional('organisation', 'Organisation'),
    optional('title', 'Job title'),
    optional('phone', 'Phone', { kind: 'tel' }),
    optional('mobile', 'Mobile', { kind: 'tel' }),
    optional('email', 'Email', { kind: 'email' }),
    optional('website', 'Website', { kind: 'url', placeholder: 'https://example.com' }),
    optional('street', 'Street'),
    optional('city', 'City'),
    optional('postcode', 'Postal code'),
    optional('country', 'Country'),
    optional('note', 'Note', { kind: 'block' }),
  ],
  event: [
    required('title', 'Title'),
    required('starts_at', 'Starts', { kind: 'time', hint: 'In the time zone of this device.' }),
    optional('ends_at', 'Ends', { kind: 'time' }),
    optional('location', 'Place'),
    optional('description', 'About the event', { kind: 'block' }),
  ],
  email: [
    required('to', 'To', { kind: 'email' }),
    optional('subject', 'Subject'),
    optional('body', 'Text', { kind: 'block' }),
  ],
  sms: [
    required('number', 'Phone number', { kind: 'tel', placeholder: '+441632960001' }),
    optional('message', 'Message', { kind: 'block' }),
  ],
  phone: [required('number', 'Phone number', { kind: 'tel', placeholder: '+441632960001' })],
  location: [
    required('latitude', 'Latitude', { kind: 'number', placeholder: '51.5007' }),
    required('longitude', 'Longitude', { kind: 'number', placeholder: '-0.1246' }),
  ],
  text: [required('text', 'Text', { kind: 'block' })],
  sepa: [
    required('name', 'Recipient'),
    required('iban', 'IBAN'),
    optional('bic', 'BIC', { hint: 'Not needed within the European Economic Area.' }),
    optional('amount', 'Amount (EUR)', { kind: 'number', placeholder: '12.50' }),
    optional('reference', 'Creditor reference', { placeholder: 'RF18539007547034' }),
    optional('text', 'Remittance text', { hint: 'Instead of the creditor reference.' }),
  ],
}

export const PURPOSES = [
  { value: 'url' as const, label: 'Website (URL)' },
  ...(Object.keys(CONTENT_FIELDS) as ContentType[]).map((value) => ({ value, label: CONTENT_NAMES[value] })),
]

/** The labels of the fields, for messages about several of them. */
export const CONTENT_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(CONTENT_FIELDS).flatMap((fields) => fields.map(({ name, label }) => [name, label])),
)

/** The form values of a saved content. */
export const typedContent = (content: QrCode['content']): TypedContent => {
  const { type, ...fields } = content ?? {}
  const typed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  // The API's default for a network without `security`.
  return type === 'wifi' ? { security: 'password' in typed ? 'WPA' : 'none', ...typed } : typed
}

/** The security of a network: WPA by default. */
export const securityOf = ({ security = '' }: TypedContent): string => (security === '' ? 'WPA' : security)

/** The visible fields of a content: a network without security has no password. */
export const shownFields = (type: ContentType, typed: TypedContent): readonly ContentField[] =>
  CONTENT_FIELDS[type].filter(({ name }) => name !== 'password' || securityOf(typed) !== 'none')

/** A number with a decimal point or comma. */
const numberOf = (text: string): number => Number(text.replace(',', '.'))

/** The content of a code from its form values. */
export function contentOf(type: ContentType, typed: TypedContent): CodeContent {
  const fields = shownFields(type, typed).map(
    ({ name, kind }): [string, string | number | boolean | null] => {
      if (kind === 'security') return [name, securityOf(typed)]
      const text = typed[name] ?? ''
      if (text.trim() === '') return [name, null]
      if (kind === 'switch') return [name, text === 'true']
      // Text that is not a number is sent unchanged: the server reports the error.
      return [name, kind === 'number' && Number.isFinite(numberOf(text)) ? numberOf(text) : text]
    },
  )
  return { type, ...Object.fromEntries(fields) } as unknown as CodeContent
}

/** Whether a required field of the content is missing, so that it cannot be drawn. */
export const lacksContent = (type: ContentType, typed: TypedContent): boolean => {
  const isMissing = (name: string): boolean => (typed[name] ?? '').trim() === ''
  if (type === 'contact') return ['first_name', 'last_name', 'organisation'].every(isMissing)
  return shownFields(type, typed).some(
    ({ name, kind, isRequired }) =>
      (isRequired === true && isMissing(name)) ||
      (kind === 'number' && !isMissing(name) && !Number.isFinite(numberOf(typed[name] ?? ''))),
  )
}

/** An instant in the time zone of the browser, in the format of its date field. */
export function localTime(iso: string): string {
  const at = instantOf(iso)
  if (Number.isNaN(at)) return ''
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
