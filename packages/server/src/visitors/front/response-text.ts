import type { Notice } from '../notices/notices.ts'
import type { Redirect } from '../links/decide.ts'
import { redirectHeaders, varyOf } from '../links/plain-visits.ts'
import { STATUS_CODES } from '../../net/node-http.ts'

/** What stands before and after the destination. */
type Template = readonly [before: string, after: string]

/** Stands for the destination in the template of a redirect; no header holds this character. */
const PLACEHOLDER = '\0'

/**
 * Responses as node:http would write them, as text of one byte per character. node:http adds the date and the
 * connection headers after those of the response; so does this class.
 */
export class ResponseTexts {
  readonly #keepAliveSeconds: number
  readonly #redirects = new Map<number, Template>()
  readonly #notices = new WeakMap<Notice, readonly [head: string, body: string]>()
  #dateS = Number.NaN
  #keepAlive = ''
  #close = ''

  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / 1000)
  }

  redirect({ target, url }: Redirect, closes: boolean, nowMs: number): string {
    const template =
      target.extras === null ? this.#plain(target.status) : templateOf(target.status, varyOf(target))
    return template[0] + url + template[1] + this.#tail(closes, nowMs)
  }

  #plain(status: number): Template {
    let template = this.#redirects.get(status)
    if (template === undefined) {
      template = templateOf(status, '')
      this.#redirects.set(status, template)
    }
    return template
  }

  notice(notice: Notice, closes: boolean, nowMs: number): string {
    let parts = this.#notices.get(notice)
    if (parts === undefined) {
      parts = [headText(notice.status, notice.headers), notice.body.toString('latin1')]
      this.#notices.set(notice, parts)
    }
    return parts[0] + this.#tail(closes, nowMs) + parts[1]
  }

  /** Made once a second. */
  #tail(closes: boolean, nowMs: number): string {
    const dateS = Math.floor(nowMs / 1000)
    if (dateS !== this.#dateS) {
      this.#dateS = dateS
      const date = `Date: ${new Date(nowMs).toUTCString()}\r\n`
      this.#keepAlive = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${this.#keepAliveSeconds}\r\n\r\n`
      this.#close = `${date}Connection: close\r\n\r\n`
    }
    return closes ? this.#close : this.#keepAlive
  }
}

function templateOf(status: number, vary: string): Template {
  const [before = '', after = ''] = headText(status, redirectHeaders(PLACEHOLDER, vary)).split(PLACEHOLDER)
  return [before, after]
}

function headText(status: number, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return text
}
