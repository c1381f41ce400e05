import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { request as requestHttp } from '../../net/node-http.ts'
import { UnavailableError } from '../../storage/db/unavailable.ts'

/** Timeout of a read, enforced by ClickHouse and by the client. */
const READ_S = 60
const READ_MS = (READ_S + 5) * 1_000
const PING_MS = 5_000
const INSERT_MS = 120_000
/** Timeout until the first bytes of a stream, and between chunks. */
const STREAM_MS = 120_000
/** A scope can list many links. */
const MAX_QUERY_BYTES = 64 * 1024 * 1024
const SHOWN_CHARS = 300

type Settings = Readonly<Record<string, string | number>>

/** ClickHouse sends the response only after the statement has finished, so that its status is final. */
const WHOLE: Settings = {
  wait_end_of_query: 1,
  max_execution_time: READ_S,
  max_query_size: MAX_QUERY_BYTES,
  output_format_json_quote_64bit_integers: 0,
}

/** ClickHouse cannot be reached, or rejected a statement. */
export class ClickHouseError extends UnavailableError {
  /** ClickHouse's error code; undefined if there was no response. */
  readonly code: number | undefined

  constructor(message: string, code: number | undefined, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Escapes a string literal: versions before 20 have no typed parameters. */
function escaped(text: string): string {
  return text.replace(/[\0\b\t\n\f\r'\\]/g, (character) => ESCAPES[character] ?? character)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': String.raw`\0`,
  '\b': String.raw`\b`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\f': String.raw`\f`,
  '\r': String.raw`\r`,
  "'": String.raw`\'`,
  '\\': '\\\\',
}

export const quoted = (text: string): string => `'${escaped(text)}'`

/** A constant of type UUID. */
export const uuid = (text: string): string => `toUUID(${quoted(text)})`

/** Any number of uuids as the right side of `in`. A single literal, because the number of literals is limited. */
export const uuids = (texts: readonly string[]): string =>
  `(select toUUID(arrayJoin([${texts.map(quoted).join(',')}])))`

/** Error code of a request whose session is in use. */
export const SESSION_IS_LOCKED = 373

/** Throws if this process may no longer make changes. */
type Confirm = () => Promise<void>

/**
 * One database of a ClickHouse server, over HTTP. Requests with `confirm` run one at a time across all processes: ClickHouse
 * holds the lock of their session from the headers until the end of the request. `confirm` is called after ClickHouse has
 * the headers, and the statement or rows are sent only if it succeeds. So a process that was suspended or delayed by the
 * network changes nothing after another process has taken over.
 */
export interface ClickHouse {
  /** Runs a statement that returns nothing. */
  run(statement: string, confirm?: Confirm): Promise<void>
  /** All rows of a result. `isAlone`: fails with `SESSION_IS_LOCKED` while a change is running. */
  rows<Row>(statement: string, isAlone?: boolean): Promise<Row[]>
  /** Streams the rows of a large result. */
  stream<Row>(statement: string): AsyncGenerator<Row>
  /** Inserts a block of rows. If it fails, any number of the rows may have been stored. */
  insert(
    statement: string,
    queryId: string,
    body: AsyncIterable<Uint8Array>,
    confirm?: Confirm,
  ): Promise<void>
  /** Fails within seconds if ClickHouse does not respond, where a long statement would wait for its timeout. */
  ping(): Promise<void>
}

/** `http(s)://user:password@host:port/database`. Connects with the first statement. */
export function openClickHouse(address: string, insertMs = INSERT_MS): ClickHouse {
  const { origin, pathname, username, password } = new URL(address)
  const database = decodeURIComponent(pathname.slice(1))
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  const session = { session_id: `waymark ${database}` }

  const urlOf = (settings: Settings): URL => {
    const url = new URL(origin)
    for (const [name, value] of Object.entries({ ...settings, database })) url.searchParams.set(name, value)
    return url
  }

  const post = async (settings: Settings, body: string, signal: AbortSignal): Promise<Response> => {
    const request = { method: 'POST', headers: { authorization }, body, signal, redirect: 'error' } as const
    const response = await fetch(urlOf(settings), request).catch((error: unknown) => {
      throw unreachable(error)
    })
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    throw failure(text, response.status)
  }

  /** With `Expect: 100-continue` the body is sent once ClickHouse has the headers, and so the lock of the session. */
  const change = async (
    settings: Settings,
    body: Iterable<string> | AsyncIterable<Uint8Array>,
    confirm: Confirm,
    ms: number,
  ): Promise<void> => {
    const url = urlOf({ ...settings, ...session })
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { authorization, expect: '100-continue' },
      signal: AbortSignal.timeout(ms),
      agent: false,
    })
    let rejection: unknown
    let hasResponse = false
    const send = async (): Promise<void> => {
      await confirm().catch((error: unknown) => {
        throw (rejection = error)
      })
      await pipeline(Readable.from(body), request)
    }
    request.once('continue', () => {
      send().catch((error: unknown) => {
        // ClickHouse may respond before it has read the whole body if it rejects a statement.
        if (!hasResponse) request.destroy(error as Error)
      })
    })
    request.once('response', () => (hasResponse = true))
    request.on('error', () => undefined)
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const answer = await readText(response)
      if (response.statusCode !== 200 || answer !== '') throw failure(answer, response.statusCode)
    } catch (error) {
      throw rejection ?? (error instanceof ClickHouseError ? error : unreachable(error))
    } finally {
      request.destroy()
    }
  }

  const read = async (statement: string, isAlone = false): Promise<string> => {
    const settings = { ...WHOLE, ...(isAlone && session) }
    const response = await post(settings, statement, AbortSignal.timeout(READ_MS))
    return response.text().catch((error: unknown) => {
      throw unreachable(error)
    })
  }

  const rows = async <Row>(statement: string, isAlone?: boolean): Promise<Row[]> => {
    const text = await read(`${statement} format JSONEachRow`, isAlone)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  }

  let insertSettings: Promise<Settings> | undefined
  /** Current versions buffer rows and store them later unless told not to. Old versions reject settings they do not know. */
  const readInsertSettings = async (): Promise<Settings> => {
    const known = await rows<{ name: string }>(`select name from system.settings where name = 'async_insert'`)
    return Object.fromEntries(known.map(({ name }) => [name, 0]))
  }

  return {
    async run(statement, confirm) {
      if (confirm === undefined) await read(statement)
      else await change(WHOLE, [statement], confirm, READ_MS)
    },
    rows,
    async *stream<Row>(statement: string) {
      const idle = new AbortController()
      const timer = setTimeout(() => idle.abort(), STREAM_MS).unref()
      try {
        const settings = { max_query_size: MAX_QUERY_BYTES, output_format_json_quote_64bit_integers: 0 }
        const { body } = await post(settings, `${statement} format JSONEachRow`, idle.signal)
        let rest = ''
        const decoder = new TextDecoder()
        for await (const bytes of chunksOf(body)) {
          // Do not count the time that the consumer takes.
          timer.refresh()
          const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) yield rowOf(line) as Row
          timer.refresh()
        }
        // An error in the middle of a result is its last line.
        if (rest !== '') throw failure(rest, undefined)
      } finally {
        clearTimeout(timer)
        idle.abort()
      }
    },
    async insert(statement, queryId, body, confirm = () => Promise.resolve()) {
      try {
        const settings = await (insertSettings ??= readInsertSettings())
        await change({ ...settings, query: statement, query_id: queryId }, body, confirm, insertMs)
      } catch (error) {
        insertSettings = undefined
        throw error
      }
    },
    async ping() {
      await post({}, 'select 1', AbortSignal.timeout(PING_MS)).then((response) => response.text())
    },
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body
  } catch (error) {
    throw unreachable(error)
  }
}

function rowOf(line: string): unknown {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    throw failure(line, undefined)
  }
  // Newer versions report an error in the middle of a result as a row.
  if (typeof row === 'object' && row !== null && 'exception' in row)
    throw failure(String(row.exception), undefined)
  return row
}

function unreachable(error: unknown): ClickHouseError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  const isTimeout = cause instanceof Error && ['TimeoutError', 'AbortError'].includes(cause.name)
  const reason = isTimeout ? 'does not respond' : `cannot be reached${code}`
  return new ClickHouseError(`ClickHouse ${reason}`, undefined, error)
}

/** Parses `Code: 60, e.displayText() = DB::Exception: Table … doesn't exist.` */
function failure(text: string, status: number | undefined): ClickHouseError {
  const code = /Code: (\d+)/.exec(text)?.[1]
  const message = text
    .replace(/, e\.what\(\).*/s, '')
    .replace('e.displayText() = ', '')
    .trim()
  const shown = message === '' ? `status ${status}` : message.slice(0, SHOWN_CHARS)
  return new ClickHouseError(`ClickHouse failed: ${shown}`, code === undefined ? undefined : Number(code))
}
