import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type PageView, renderPage } from '@waymark/page'
import { htmlHeaders } from '../site.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'

/** A page in one encoding, as it goes out. */
export interface ServedForm {
  readonly etag: string
  /** Flat lists of names and values, the form that node:http writes fastest. */
  readonly headers: readonly string[]
  readonly unchangedHeaders: readonly string[]
  readonly body: Buffer
}

/** A page that was drawn and compressed once, for all its visitors. */
export type ServedPage = Readonly<Record<Encoding, ServedForm>>

/** Draws and compresses a page; the compressing off the event loop. */
export const makeServedPage = async (view: PageView): Promise<ServedPage> => {
  const { html, style, csp } = renderPage(view)
  const identity = Buffer.from(html)
  const policy = csp(createHash('sha256').update(style).digest('base64'))
  const version = createHash('sha256').update(html).update(policy).digest('base64url').slice(0, 16)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })])
  const form = (encoding: Encoding, body: Buffer): ServedForm => formOf(encoding, body, version, policy)
  return { br: form('br', br), gzip: form('gzip', gzipped), identity: form('identity', identity) }
}

const formOf = (encoding: Encoding, body: Buffer, version: string, policy: string): ServedForm => {
  const etag = `"${version}-${encoding}"`
  // Asked about every time, so that every view is counted and an edit is seen at once; unchanged, nothing is sent.
  const always = ['etag', etag, 'cache-control', 'no-cache', 'vary', 'Accept-Encoding']
  const { 'x-frame-options': _, ...rest } = htmlHeaders(policy)
  const headers = [
    ...always,
    ...Object.entries(rest).flat(),
    'content-length',
    String(body.length),
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
  ]
  return { etag, headers, unchangedHeaders: always, body }
}

/** The encodings that a visitor accepts: all that are named, except those with a weight of 0. */
const acceptedEncodings = (header: string): Set<string> => {
  const accepted = new Set<string>()
  for (const choice of header.toLowerCase().split(',')) {
    const [name = '', weight = ''] = choice.split(';', 2)
    if (!/^q=0(?:\.0*)?$/.test(weight.replaceAll(/\s/g, ''))) accepted.add(name.trim())
  }
  return accepted
}

/** The smallest form that the visitor can read. */
export const encodingFor = (acceptEncoding: string | undefined): Encoding => {
  if (acceptEncoding === undefined) return 'identity'
  const accepted = acceptedEncodings(acceptEncoding)
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : 'identity'
}

/** Whether the visitor holds this very form already. */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: ServedForm): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*')
