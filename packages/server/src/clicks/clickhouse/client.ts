import { UnavailableError } from '../../storage/db/unavailable.ts'

/** A read that takes longer is given up, by the server and by us. */
const READ_S = 60
const PING_MS = 5_000
const INSERT_MS = 120_000
/** Of the first bytes of a stream, and between any two of them. */
const STREAM_MS = 120_000
/** A scope may be a list of many links. */
const MAX_QUERY_BYTES = 64 * 1024 * 1024
const SHOWN_CHARS = 300

/** ClickHouse cannot be reached, or rejected a statement. */
export class ClickHouseError extends UnavailableError {
  /** ClickHouse's own number of the error; undefined if there was no answer. */
  readonly code: number | undefined

  constructor(message: string, code: number | undefined, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A text within quotes in a statement: there are no typed parameters before version 20. */
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

/** Any number of uuids, as the right side of `in`: one literal, because the number of literals is limited. */
export const uuids = (texts: readonly string[]): string =>
  `(select toUUID(arrayJoin([${texts.map(quoted).join(',')}])))`

/** One database of a ClickHouse server, over HTTP. */
export interface ClickHouse {
  /** Runs a statement that returns nothing. */
  run(statement: string): Promise<void>
  /** All rows of a result. */
  rows<Row>(statement: string): Promise<Row[]>
  /** The rows of a large result as they arrive. */
  stream<Row>(statement: string): AsyncGenerator<Row>
  /** Inserts a block of rows. Anything but success leaves it open which of the rows were stored. */
  insert(statement: string, queryId: string, body: AsyncIterable<Uint8Array>): Promise<void>
  ping(): Promise<void>
}

/** `http(s)://user:password@host:port/database`. Nothing is sent before the first statement. */
export function openClickHouse(address: string, insertMs = INSERT_MS): ClickHouse {
  const { origin, pathname, username, password } = new URL(address)
  const database = decodeURIComponent(pathname.slice(1))
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

  const post = async (
    settings: Readonly<Record<string, string | number>>,
    body: string | AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Response> => {
    const url = new URL(origin)
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value))
    url.searchParams.set('database', database)
    const request = { method: 'POST', headers: { authorization }, body, signal, redirect: 'error' }
    // `duplex` is missing in the type of the request; without it a body cannot be streamed.
    const response = await fetch(url, { ...request, duplex: 'half' } as RequestInit).catch(
      (error: unknown) => {
        throw unreachable(error)
      },
    )
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    throw failure(text, response.status)
  }

  const read = async (statement: string, seconds = READ_S): Promise<string> => {
    const settings = {
      wait_end_of_query: 1,
      max_execution_time: seconds,
      max_query_size: MAX_QUERY_BYTES,
      output_format_json_quote_64bit_integers: 0,
    }
    const response = await post(settings, statement, AbortSignal.timeout((seconds + 5) * 1_000))
    return response.text().catch((error: unknown) => {
      throw unreachable(error)
    })
  }

  return {
    async run(statement) {
      await read(statement)
    },
    async rows<Row>(statement: string) {
      const text = await read(`${statement} format JSONEachRow`)
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
    },
    async *stream<Row>(statement: string) {
      const idle = new AbortController()
      const timer = setTimeout(() => idle.abort(), STREAM_MS).unref()
      try {
        const settings = { max_query_size: MAX_QUERY_BYTES, output_format_json_quote_64bit_integers: 0 }
        const { body } = await post(settings, `${statement} format JSONEachRow`, idle.signal)
        let rest = ''
        const decoder = new TextDecoder()
        for await (const bytes of chunksOf(body)) {
          // The time that the reader of the rows takes does not count.
          timer.refresh()
          const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) yield rowOf(line) as Row
          timer.refresh()
        }
        // An error in the middle of a result is the last line of it.
        if (rest !== '') throw failure(rest, undefined)
      } finally {
        clearTimeout(timer)
        idle.abort()
      }
    },
    async insert(statement, queryId, body) {
      const settings = {
        query: statement,
        query_id: queryId,
      }
      const response = await post(settings, body, AbortSignal.timeout(insertMs))
      const text = await response.text().catch((error: unknown) => {
        throw unreachable(error)
      })
      if (text !== '') throw failure(text, response.status)
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
  try {
    return JSON.parse(line) as unknown
  } catch {
    throw failure(line, undefined)
  }
}

function unreachable(error: unknown): ClickHouseError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  const isTimeout = cause instanceof Error && ['TimeoutError', 'AbortError'].includes(cause.name)
  const reason = isTimeout ? 'does not respond' : `cannot be reached${code}`
  return new ClickHouseError(`ClickHouse ${reason}`, undefined, error)
}

/** Of `Code: 60, e.displayText() = DB::Exception: Table … doesn't exist.` */
function failure(text: string, status: number | undefined): ClickHouseError {
  const code = /Code: (\d+)/.exec(text)?.[1]
  const message = text
    .replace(/, e\.what\(\).*/s, '')
    .replace('e.displayText() = ', '')
    .trim()
  const shown = message === '' ? `status ${status}` : message.slice(0, SHOWN_CHARS)
  return new ClickHouseError(`ClickHouse failed: ${shown}`, code === undefined ? undefined : Number(code))
}
