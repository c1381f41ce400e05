import { documentHeaders, renderDocument } from './document.ts'

/** An answer that is the same for everybody: built once, sent as it is. */
export interface Notice {
  readonly status: number
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

export type NoticeKind = 'notFound' | 'gone' | 'unavailable' | 'wrongMethod'

interface Text {
  readonly status: number
  readonly title: string
  readonly says: readonly string[]
  readonly error: string
  readonly headers?: readonly string[]
}

const texts: Record<NoticeKind, Text> = {
  notFound: {
    status: 404,
    title: 'This link does not exist',
    says: [
      'There is nothing at this address. It may have been mistyped, or cut short on its way to you.',
      'Capital and small letters count: please compare it with the original.',
    ],
    error: 'Link not found',
  },
  gone: {
    status: 410,
    title: 'This link has ended',
    says: [
      'It worked once, but it has expired, was used up, or was removed by its owner.',
      'Whoever gave it to you may have a newer one.',
    ],
    error: 'Link expired or removed',
  },
  unavailable: {
    status: 503,
    title: 'Back in a moment',
    says: ['This link cannot be looked up just now. Please try again in a few seconds.'],
    error: 'Service unavailable',
    headers: ['retry-after', '2'],
  },
  wrongMethod: {
    status: 405,
    title: 'This link can only be opened',
    says: ['Nothing can be sent to this address.'],
    error: 'Method not allowed',
    headers: ['allow', 'GET, HEAD'],
  },
}

interface Pair {
  readonly html: Notice
  readonly json: Notice
}

const notices: Record<NoticeKind, Pair> = {
  notFound: build(texts.notFound),
  gone: build(texts.gone),
  unavailable: build(texts.unavailable),
  wrongMethod: build(texts.wrongMethod),
}

/** The notice in the form the caller asked for. */
export function notice(kind: NoticeKind, accept: string | undefined): Notice {
  return wantsJson(accept) ? notices[kind].json : notices[kind].html
}

export function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/html')
}

/** The same shape for answers that are made on the spot. */
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

function build({ status, title, says, error, headers = [] }: Text): Pair {
  const body = Buffer.from(renderDocument({ title, body: says.map((line) => `<p>${line}</p>`).join('') }))
  return {
    html: { status, headers: [...documentHeaders(body.length), ...headers], body },
    json: jsonNotice(status, error, headers),
  }
}
