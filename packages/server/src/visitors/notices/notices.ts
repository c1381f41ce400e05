import { escapeHtml } from '@waymark/page'
import { type Brand, documentHeaders, renderDocument } from './document.ts'
import { type Language, type VisitorTexts, visitorTexts } from '@waymark/page/languages'
import type { Sign } from './sign-picture.ts'

/** A response that is the same for all visitors and built once. */
export interface Notice {
  readonly status: number
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** `gone`: deleted. `expired`: past its date, or used up. `notYet`: before its start. */
export type NoticeKind =
  | 'notFound'
  | 'notYet'
  | 'gone'
  | 'expired'
  | 'blocked'
  | 'unavailable'
  | 'wrongMethod'

/** The parts of a notice that do not depend on the language. */
interface Kind {
  readonly status: number
  readonly sign: Sign
  readonly text: keyof VisitorTexts &
    ('notFound' | 'notYet' | 'ended' | 'blocked' | 'unavailable' | 'wrongMethod')
  /** The error text for programs. */
  readonly error: string
  readonly headers?: readonly string[]
}

const ended: Kind = { status: 410, sign: 'end', text: 'ended', error: 'Link expired or removed' }

const kinds: Record<NoticeKind, Kind> = {
  notFound: { status: 404, sign: 'question', text: 'notFound', error: 'Link not found' },
  notYet: { status: 404, sign: 'clock', text: 'notYet', error: 'This link is not active yet' },
  gone: ended,
  expired: ended,
  blocked: { status: 410, sign: 'stop', text: 'blocked', error: 'Link blocked' },
  unavailable: {
    status: 503,
    sign: 'wait',
    text: 'unavailable',
    error: 'Service unavailable',
    headers: ['retry-after', '2'],
  },
  wrongMethod: {
    status: 405,
    sign: 'stop',
    text: 'wrongMethod',
    error: 'Method not allowed',
    headers: ['allow', 'GET, HEAD'],
  },
}

/** A notice as HTML and as JSON. */
export interface NoticePair {
  readonly html: Notice
  readonly json: Notice
}

export type NoticeSet = Readonly<Record<NoticeKind, NoticePair>>

interface NoticeOptions {
  /** The contact for questions about a blocked link. */
  readonly contact?: string | undefined
  readonly brand?: Brand | undefined
  readonly ignoresCase?: boolean
}

/** All notices in one language and look. */
export const buildNotices = (language: Language, options: NoticeOptions = {}): NoticeSet =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, what]) => [kind, build(what, language, options)]),
  ) as NoticeSet

const saysOf = ({ text }: Kind, language: Language, { contact, ignoresCase = false }: NoticeOptions) => {
  const { says } = visitorTexts[language][text]
  if (text === 'notFound') return ignoresCase ? says.slice(0, 1) : says
  if (text !== 'blocked') return says
  if (contact === undefined) return says.slice(0, 1)
  const address = escapeHtml(contact)
  return says.map((line) => line.replace('{contact}', () => `<a href="mailto:${address}">${address}</a>`))
}

export function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/html')
}

/** Like a notice, for responses that are built per request. */
export function jsonNotice(status: number, error: string, headers: readonly string[] = []): Notice {
  const body = Buffer.from(JSON.stringify({ error }))
  const own = [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'cache-control',
    'no-store',
  ]
  return { status, headers: [...own, ...headers], body }
}

function build(kind: Kind, language: Language, options: NoticeOptions): NoticePair {
  const { status, sign, text, error, headers = [] } = kind
  const { brand, contact } = options
  const { title } = visitorTexts[language][text]
  const paragraphs = saysOf(kind, language, options)
    .map((line) => `<p>${line}</p>`)
    .join('')
  const body = Buffer.from(renderDocument({ title, sign, body: paragraphs }, brand, language))
  const named = text === 'blocked' && contact !== undefined ? `${error}; contact ${contact}` : error
  return {
    html: { status, headers: [...documentHeaders(body.length, false, brand), ...headers], body },
    json: jsonNotice(status, named, headers),
  }
}
