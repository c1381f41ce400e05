import { STATUS_CODES } from 'node:http'
import type { Notice } from '../notices/notices.ts'
import type { Target } from '../links/decide.ts'
import { redirectHeaders } from '../links/redirector.ts'

/** Stands for the destination in the template of a redirect; no header holds this character. */
const PLACEHOLDER = '\0'

/**
 * Responses as node:http would write them, as text of one byte per character. node:http adds the date and the
 * connection headers after those of the response; so does this class.
 */
export class ResponseTexts {
  readonly #keepAliveSeconds: number
  readonly #redirects = new Map<number, readonly [before: string, after: string]>()
  readonly #notices = new WeakMap<Notice, readonly [head: string, body: string]>()
  #dateS = Number.NaN
  #keepAlive = ''
  #close = ''

  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / 1000)
  }

  redirect({ status, url }: Target, closes: boolean, nowMs: number): string {
    let template = this.#redirects.get(status)
    if (template === undefined) {
      const [before = '', after = ''] = headText(status, redirectHeaders(PLACEHOLDER)).split(PLACEHOLDER)
      template = [before, after]
      this.#redirects.set(status, template)
    }
    return template[0] + url + template[1] + this.#tail(closes, nowMs)
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

function headText(status: number, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return text
}
