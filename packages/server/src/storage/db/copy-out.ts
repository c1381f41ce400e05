import type { Connection, PoolClient, QueryResult, Submittable } from 'pg'

/** A row of `copy (select id, data …)`: a text and bytes. */
export interface BytesRow {
  readonly id: string
  readonly data: Uint8Array
}

export const COPY_PREFIX = 'copy ('
export const COPY_SUFFIX = ') to stdout (format binary)'

/** Eleven bytes of signature, four of flags, and the length of an extension. */
const HEADER_BYTES = 19
const END = -1

export const isCopyOut = (text: string): boolean => text.startsWith(COPY_PREFIX)

/**
 * Reads binary values without conversion. Other statements return bytes as hexadecimal text, which takes six times as long
 * to read.
 */
export function copyOut(client: PoolClient, text: string): Promise<Pick<QueryResult<BytesRow>, 'rows'>> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOut(text, (error, rows = []) => (error === null ? resolve({ rows }) : reject(error))),
    )
  })
}

type Ended = (error: Error | null, rows?: BytesRow[]) => void

/** The driver calls these methods and `callback`. */
class CopyOut implements Submittable {
  callback: Ended
  readonly #text: string
  readonly #rows: BytesRow[] = []
  #hasHeader = false

  constructor(text: string, callback: Ended) {
    this.#text = text
    this.callback = callback
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  /** The protocol sends one row per message; the first includes the header, and the last has no row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const begin = this.#hasHeader ? 0 : HEADER_BYTES
    this.#hasHeader = true
    if (chunk.readInt16BE(begin) === END) return
    const idBytes = chunk.readInt32BE(begin + 2)
    const dataAt = begin + 6 + idBytes + 4
    const dataBytes = chunk.readInt32BE(dataAt - 4)
    const id = chunk.toString('utf8', begin + 6, begin + 6 + idBytes)
    // A copy, because the driver reuses the memory for the next message.
    this.#rows.push({ id, data: new Uint8Array(chunk.subarray(dataAt, dataAt + dataBytes)) })
  }

  handleCommandComplete(): void {
    // The result is complete when the connection is ready for the next statement.
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows)
  }

  handleError(error: Error): void {
    this.callback(error)
  }
}
