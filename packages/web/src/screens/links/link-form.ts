import type { Input, Link } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'

/** Fields of a link that the panel does not have. */
type Elsewhere = 'tags' | 'archived' | 'starts_at' | 'forward_query' | 'rules' | 'variants' | 'preview'
type Fields = Required<Omit<Input<'generateLink'>, 'link' | 'password' | Elsewhere>>

/** One field: how the panel shows what a link has, and what it sends for what was typed. */
interface FormField<Name extends keyof Fields> {
  readonly read: (link: Link) => string
  readonly send: (typed: string) => Fields[Name]
  /** Where it is not empty in the panel of a new link. */
  readonly initial?: string
}

/** What is not a number is sent as it is, so that the server can say so. */
const numberOr = (text: string): number | null => {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

const addressOr = (text: string): string | null => orNull(withScheme(text))

const fields: { readonly [Name in keyof Fields]: FormField<Name> } = {
  customLink: { read: (link) => link.code, send: orNull },
  domain: { read: (link) => link.domain, send: orNull },
  title: { read: (link) => link.title ?? '', send: orNull },
  description: { read: (link) => link.description ?? '', send: orNull },
  tag: { read: (link) => link.tag ?? '', send: orNull },
  expire: { read: (link) => link.expire?.slice(0, 10) ?? '', send: orNull },
  max_clicks: { read: (link) => link.max_clicks?.toString() ?? '', send: numberOr },
  ios_url: { read: (link) => link.ios_url ?? '', send: addressOr },
  android_url: { read: (link) => link.android_url ?? '', send: addressOr },
  redirect: {
    read: (link) => String(link.redirect),
    send: (typed) => Number(typed) as Fields['redirect'],
    initial: '302',
  },
}

/** Fields that are a line of text each, in the order in which the panel shows them. */
export const textLines: readonly {
  readonly name: keyof Fields
  readonly label: string
  readonly placeholder: string
}[] = [
  { name: 'title', label: 'Title', placeholder: 'Spring catalogue' },
  { name: 'description', label: 'Description', placeholder: 'What this link is for' },
]

/** What the panel calls a field. */
export const nameOfField = namedBy({
  link: 'Destination',
  customLink: 'Short code',
  domain: 'Domain',
  tag: 'Tag',
  expire: 'Expires',
  max_clicks: 'Click limit',
  ios_url: 'iOS destination',
  android_url: 'Android destination',
  redirect: 'Redirect type',
  ...Object.fromEntries(textLines.map(({ name, label }) => [name, label])),
})

/** What lists call a link besides its short code. */
export const headingOf = (link: Link): string | null => link.title ?? link.description

/** The fields of a new link, as the first line of a CSV file names them. */
export const inputNames: readonly string[] = ['link', ...Object.keys(fields), 'password']

/** What the panel holds, as text: the server validates it. */
export interface LinkValues extends Record<keyof Fields, string> {
  link: string
  password: string
  removesPassword: boolean
}

const textsOf = (link: Link | null): Record<keyof Fields, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { read, initial }]: [string, FormField<keyof Fields>]) => [
      name,
      link === null ? (initial ?? '') : read(link),
    ]),
  ) as Record<keyof Fields, string>

/** The panel's values for a link, or for a new one. */
export const valuesOf = (link: Link | null): LinkValues => ({
  link: link?.link ?? '',
  ...textsOf(link),
  password: '',
  removesPassword: false,
})

/** Only what differs is sent: an edit leaves alone what was not touched, such as a date that has passed. */
const changes = (before: LinkValues, after: LinkValues): Partial<Fields> & { password?: string | null } => {
  const sent: Record<string, unknown> = {}
  for (const [name, { send }] of Object.entries(fields)) {
    const value = send(after[name as keyof Fields])
    if (value !== send(before[name as keyof Fields])) sent[name] = value
  }
  if (after.removesPassword) sent['password'] = null
  else if (after.password !== '') sent['password'] = after.password
  return sent
}

/** The body that creates a link. */
export const createBody = (values: LinkValues): Input<'generateLink'> => ({
  link: withScheme(values.link),
  ...changes(valuesOf(null), values),
})

/** The body that edits a link. */
export const editBody = (link: Link, values: LinkValues): Input<'editLinks'> => ({
  uuid: link.uuid,
  link: withScheme(values.link),
  ...changes(valuesOf(link), values),
})
