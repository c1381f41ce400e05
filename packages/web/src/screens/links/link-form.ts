import type { Input, Link } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import { pickedFile } from '../../forms/picked-files.ts'
import type { useForm } from '../../forms/use-form.ts'
import { withScheme } from '../../ui/addresses.ts'
import { type DayEdge, isoOf, localTextOf } from '../../ui/local-times.ts'

/** Fields of a link that other screens edit; `tags` stands for `tag` as well. */
type Elsewhere = 'tag' | 'rules' | 'variants' | 'preview'
type Fields = Required<Omit<Input<'generateLink'>, 'link' | 'password' | Elsewhere>>

/** Fields of the panel that are not text. */
interface OtherThanText {
  readonly tags: readonly string[]
  readonly archived: boolean
  readonly forward_query: boolean
  readonly forward_path: boolean
  readonly reuse: boolean
}

type FieldValues = {
  [Name in keyof Fields]: Name extends keyof OtherThanText ? OtherThanText[Name] : string
}

/** A field: its form value for a link, and the value to send. */
interface FormField<Sent, Value> {
  readonly read: (link: Link) => Value
  readonly send: (value: Value) => Sent
  /** The form value for a new link. */
  readonly initial: Value
}

/** Text that is not a number is sent unchanged, so that the server reports it. */
const numberOr = (text: string): number | null => {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

const textField = (
  read: (link: Link) => string | null,
  send: (text: string) => string | null = orNull,
): FormField<string | null, string> => ({ read: (link) => read(link) ?? '', send, initial: '' })

const addressOr = (text: string): string | null => orNull(withScheme(text))

const switchField = (read: (link: Link) => boolean): FormField<boolean, boolean> => ({
  read,
  send: (isOn) => isOn,
  initial: false,
})

const momentField = (read: (link: Link) => string | null, edge: DayEdge) =>
  textField(
    (link) => localTextOf(read(link), edge),
    (text) => isoOf(text, edge),
  )

const fields: { readonly [Name in keyof Fields]: FormField<Fields[Name], FieldValues[Name]> } = {
  customLink: textField((link) => link.code),
  domain: textField((link) => link.domain),
  title: textField((link) => link.title),
  description: textField((link) => link.description),
  tags: { read: (link) => link.tags, send: (tags) => [...tags], initial: [] },
  starts_at: momentField((link) => link.starts_at, 'start'),
  expire: momentField((link) => link.expire, 'end'),
  max_clicks: { read: (link) => link.max_clicks?.toString() ?? '', send: numberOr, initial: '' },
  ios_url: textField((link) => link.ios_url, addressOr),
  android_url: textField((link) => link.android_url, addressOr),
  redirect: {
    read: (link) => String(link.redirect),
    send: (typed) => Number(typed) as Fields['redirect'],
    initial: '302',
  },
  forward_query: switchField((link) => link.forward_query),
  forward_path: switchField((link) => link.forward_path),
  archived: switchField((link) => link.archived),
  reuse: switchField(() => false),
}

/** The label of a field in the panel. */
export const fieldLabels = {
  link: 'Destination',
  customLink: 'Short code',
  domain: 'Domain',
  title: 'Title',
  description: 'Description',
  tags: 'Tags',
  starts_at: 'Starts',
  expire: 'Expires',
  max_clicks: 'Click limit',
  ios_url: 'iOS destination',
  android_url: 'Android destination',
  redirect: 'Redirect type',
  forward_query: 'Forward query parameters',
  forward_path: 'Forward path',
  archived: 'Archived',
  reuse: 'Reuse an existing link',
  card: 'Social preview',
  cardImage: 'Card image',
} as const

export const nameOfField = namedBy(fieldLabels)

/** The fields of a new link as column names of a CSV file. A file creates each link. */
export const inputNames: readonly string[] = [
  'link',
  ...Object.keys(fields).filter((name) => name !== 'reuse'),
  'password',
]

/** The form values: the server validates them. */
export interface LinkValues extends FieldValues {
  link: string
  password: string
  removesPassword: boolean
  card: CardValues
  /** The URL of the card's picture, or of a chosen file until it is uploaded. */
  cardImage: string | null
}

/** The texts of the card that apps show when the link is shared. */
export interface CardValues {
  readonly title: string
  readonly description: string
}

export type LinkFormState = ReturnType<typeof useForm<LinkValues>>

type AnyField = FormField<unknown, unknown>
const everyField = Object.entries(fields) as unknown as readonly (readonly [keyof Fields, AnyField])[]

/** The panel's values for a link, or for a new one. */
export const valuesOf = (link: Link | null): LinkValues => ({
  link: link?.link ?? '',
  ...(Object.fromEntries(
    everyField.map(([name, { read, initial }]) => [name, link === null ? initial : read(link)]),
  ) as FieldValues),
  password: '',
  removesPassword: false,
  card: { title: link?.preview?.title ?? '', description: link?.preview?.description ?? '' },
  cardImage: link?.preview?.image ?? null,
})

/** The form values of a copy: short code, password and picture are not copied. */
export const copiedValues = (link: Link, nowMs = Date.now()): LinkValues => {
  const values = valuesOf(link)
  const hasEnded = link.expire !== null && Date.parse(link.expire) <= nowMs
  return {
    ...values,
    // A copy of a page's or code's link begins as a plain link.
    customLink: '',
    title: values.title === '' ? '' : `${values.title} (copy)`,
    expire: hasEnded ? '' : values.expire,
    archived: false,
    cardImage: null,
  }
}

/** Only differences are sent: an edit does not change untouched fields, such as a past date. */
const changes = (
  before: LinkValues,
  after: LinkValues,
): Partial<Fields> & Pick<Input<'generateLink'>, 'password' | 'preview'> => {
  const sent: Record<string, unknown> = {}
  for (const [name, { send }] of everyField) {
    const value = send(after[name])
    if (JSON.stringify(value) !== JSON.stringify(send(before[name]))) sent[name] = value
  }
  if (after.removesPassword) sent['password'] = null
  else if (after.password !== '') sent['password'] = after.password
  const card = cardChanges(before, after)
  if (card !== undefined) sent['preview'] = card
  return sent
}

/** The whole card if any of it was changed; the picture only if it was. */
const cardChanges = (before: LinkValues, after: LinkValues): Input<'generateLink'>['preview'] | undefined => {
  const { title, description } = after.card
  const hasNewImage = after.cardImage !== before.cardImage
  if (!hasNewImage && title === before.card.title && description === before.card.description) return undefined
  const texts = { title: orNull(title), description: orNull(description) }
  if (!hasNewImage) return texts
  return {
    ...texts,
    image: after.cardImage === null ? null : (pickedFile(after.cardImage) ?? after.cardImage),
  }
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
