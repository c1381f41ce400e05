import { escapeHtml } from '@waymark/page'
import { type Brand, documentHeaders, renderDocument } from './document.ts'
import type { Sign } from './sign-picture.ts'

/** A response that is the same for all visitors: built once, sent as it is. */
export interface Notice {
  readonly status: number
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** `gone`: removed. `expired`: past its date, or used up. `notYet`: before its start. */
export type NoticeKind =
  | 'notFound'
  | 'notYet'
  | 'gone'
  | 'expired'
  | 'blocked'
  | 'unavailable'
  | 'wrongMethod'

interface Text {
  readonly status: number
  readonly sign: Sign
  readonly title: string
  readonly says: readonly string[]
  readonly error: string
  readonly headers?: readonly string[]
}

const ended: Text = {
  status: 410,
  sign: 'end',
  title: 'This link has ended',
  says: [
    'It has expired, reached its click limit, or was removed by its owner.',
    'Ask the person who sent it to you for a new one.',
  ],
  error: 'Link expired or removed',
}

const CHECK = 'It may be mistyped or incomplete. Please check the address.'

const texts: Record<NoticeKind, Text> = {
  notFound: {
    status: 404,
    sign: 'question',
    title: 'This link does not exist',
    says: [CHECK, 'Short links are case-sensitive: /Menu and /menu are two different links.'],
    error: 'Link not found',
  },
  notYet: {
    status: 404,
    sign: 'clock',
    title: 'This link is not active yet',
    says: ['Its owner has scheduled it to start later. Please try again then.'],
    error: 'This link is not active yet',
  },
  gone: ended,
  expired: ended,
  blocked: {
    status: 410,
    sign: 'stop',
    title: 'This link is blocked',
    says: [
      'The operator of this service has blocked this link, because it was reported as harmful or breaks the rules.',
    ],
    error: 'Link blocked',
  },
  unavailable: {
    status: 503,
    sign: 'wait',
    title: 'Back in a moment',
    says: ['This link cannot be opened right now. Please try again in a few seconds.'],
    error: 'Service unavailable',
    headers: ['retry-after', '2'],
  },
  wrongMethod: {
    status: 405,
    sign: 'stop',
    title: 'This link can only be opened',
    says: ['Nothing can be sent to this address.'],
    error: 'Method not allowed',
    headers: ['allow', 'GET, HEAD'],
  },
}

/** A notice for people and for programs. */
export interface NoticePair {
  readonly html: Notice
  readonly json: Notice
}

export type NoticeSet = Readonly<Record<NoticeKind, NoticePair>>

/** Every notice, in the look of a brand. `contact`: whom to write to about a blocked link. */
export const buildNotices = (contact: string | undefined, brand?: Brand, ignoresCase = false): NoticeSet => ({
  notFound: build(ignoresCase ? { ...texts.notFound, says: [CHECK] } : texts.notFound, brand),
  notYet: build(texts.notYet, brand),
  gone: build(texts.gone, brand),
  expired: build(texts.expired, brand),
  blocked: build(blockedText(contact), brand),
  unavailable: build(texts.unavailable, brand),
  wrongMethod: build(texts.wrongMethod, brand),
})

const blockedText = (contact: string | undefined): Text => {
  if (contact === undefined) return texts.blocked
  const address = escapeHtml(contact)
  return {
    ...texts.blocked,
    says: [
      ...texts.blocked.says,
      `If you think that this is a mistake, write to <a href="mailto:${address}">${address}</a>.`,
    ],
    error: `Link blocked; contact ${contact}`,
  }
}

export function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/html')
}

/** The same shape for responses that are made on the spot. */
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

function build(
  { status, sign, title, says, error, headers = [] }: Text,
  brand: Brand | undefined,
): NoticePair {
  const paragraphs = says.map((line) => `<p>${line}</p>`).join('')
  const body = Buffer.from(renderDocument({ title, sign, body: paragraphs }, brand))
  return {
    html: { status, headers: [...documentHeaders(body.length, false, brand), ...headers], body },
    json: jsonNotice(status, error, headers),
  }
}
