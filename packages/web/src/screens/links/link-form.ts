import type { Input, Link } from '@waymark/sdk'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'

/** What the panel holds, as text: the server judges it. */
export interface LinkValues {
  link: string
  customLink: string
  domain: string
  description: string
  tag: string
  expire: string
  password: string
  removesPassword: boolean
  max_clicks: string
  ios_url: string
  android_url: string
  redirect: string
}

const emptyValues: LinkValues = {
  link: '',
  customLink: '',
  domain: '',
  description: '',
  tag: '',
  expire: '',
  password: '',
  removesPassword: false,
  max_clicks: '',
  ios_url: '',
  android_url: '',
  redirect: '302',
}

/** The panel's values for a link, or for a new one. */
export const valuesOf = (link: Link | null): LinkValues =>
  link === null
    ? emptyValues
    : {
        link: link.link,
        customLink: link.code,
        domain: link.domain,
        description: link.description ?? '',
        tag: link.tag ?? '',
        expire: link.expire?.slice(0, 10) ?? '',
        password: '',
        removesPassword: false,
        max_clicks: link.max_clicks?.toString() ?? '',
        ios_url: link.ios_url ?? '',
        android_url: link.android_url ?? '',
        redirect: String(link.redirect),
      }

type Fields = Omit<Input<'generateLink'>, 'link'>

/** What is not a number is sent as it is, so that the server can say so. */
const numberOr = (text: string): number | null => {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

const addressOr = (text: string): string | null => orNull(withScheme(text))

const readers: { [K in Exclude<keyof Fields, 'password'>]-?: (values: LinkValues) => Fields[K] } = {
  customLink: (values) => orNull(values.customLink),
  domain: (values) => orNull(values.domain),
  description: (values) => orNull(values.description),
  tag: (values) => orNull(values.tag),
  expire: (values) => orNull(values.expire),
  max_clicks: (values) => numberOr(values.max_clicks),
  ios_url: (values) => addressOr(values.ios_url),
  android_url: (values) => addressOr(values.android_url),
  redirect: (values) => Number(values.redirect) as Fields['redirect'],
}

/** Only what differs is sent: an edit leaves alone what was not touched, such as a date that has passed. */
const changes = (before: LinkValues, after: LinkValues): Fields => {
  const fields: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    const value = read(after)
    if (value !== read(before)) fields[name] = value
  }
  if (after.removesPassword) fields['password'] = null
  else if (after.password !== '') fields['password'] = after.password
  return fields
}

/** The body that creates a link. */
export const createBody = (values: LinkValues): Input<'generateLink'> => ({
  link: withScheme(values.link),
  ...changes(emptyValues, values),
})

/** The body that edits a link. */
export const editBody = (link: Link, values: LinkValues): Input<'editLinks'> => ({
  uuid: link.uuid,
  link: withScheme(values.link),
  ...changes(valuesOf(link), values),
})
