import { pipeline, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import { type OperationSchemas, schemas } from '@waymark/contract/schemas'
import type { Context, RequestFacts, Route, Routes } from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
import { openDownload } from '../../net/admission/lanes.ts'
import type { Statistics } from '../../clicks/statistics/statistics.ts'
import { TAR_END, tarFile } from '../../storage/backups/tar.ts'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import type { Database } from '../../storage/db/database.ts'
import { keptFiles, unlistedRows } from './unlisted-rows.ts'
import { nextTurn } from '../../work/turns.ts'

export interface TakeoutDependencies {
  readonly db: Database
  readonly statistics: Pick<Statistics, 'clicks'>
  readonly blobs: Pick<BlobKeeper, 'get'>
  readonly routes: () => Routes
  readonly now: () => number
}

/** A piece is in memory while its client does not read. */
const ROWS_AT_ONCE = 100
const README = `Everything that your account has. Files named NAME-0001.jsonl hold one JSON object a line: what the
operation NAME of the API returns, and clicks, click-sums, feedback and webhook-deliveries, which no operation lists
whole. Pictures are in files/, named by their content. Times without a zone are milliseconds since 1970 (UTC).
`

/** Reads of the caller's own things that need nothing but the caller. */
const isTaken = (name: OperationName): boolean => {
  const { method, auth, returns }: Operation = operations[name]
  const { query }: OperationSchemas = schemas[name]
  const needsNothing = query === undefined || query.safeParse({}).success
  return method === 'GET' && auth !== 'none' && returns === undefined && needsNothing
}

/** Writes archives of accounts: one piece after the other, so that memory usage does not grow with the account. */
export class Takeout {
  readonly #deps: TakeoutDependencies

  constructor(deps: TakeoutDependencies) {
    this.#deps = deps
  }

  /** Without what is needed to read the clicks there is no archive. */
  async open(caller: Caller, request: RequestFacts): Promise<Readable> {
    const pieces = await openDownload(this.#pieces(caller, request))
    return pipeline(pieces, createGzip(), () => {})
  }

  async *#pieces(caller: Caller, request: RequestFacts): AsyncGenerator<Buffer> {
    const { db, statistics, blobs, routes, now } = this.#deps
    const file = (name: string, bytes: Buffer): Buffer => tarFile(name, bytes, now())
    const [clicks, ...others] = unlistedRows(db, statistics, caller).map(({ name, rows }) =>
      this.#parts(name, rows),
    )
    const first = await clicks?.next()
    yield file('README.txt', Buffer.from(README))
    if (clicks !== undefined && first?.done === false) {
      yield first.value
      yield* clicks
    }
    for (const route of routes().filter(({ name }) => isTaken(name)))
      yield* this.#parts(route.name, this.#answered(route, caller, request))
    for (const parts of others) yield* parts
    for (const hash of await db.read(() => keptFiles(db, caller))) {
      const bytes = await blobs.get(hash)
      if (bytes !== undefined) yield file(`files/${hash}`, Buffer.from(bytes))
    }
    yield TAR_END
  }

  /** Files of some rows each, because an archive says the size of a file before its content. */
  async *#parts(name: string, pages: AsyncGenerator<readonly unknown[]>): AsyncGenerator<Buffer> {
    let number = 0
    for await (const rows of pages) {
      if (rows.length === 0) continue
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      yield tarFile(
        `${name}-${String(++number).padStart(4, '0')}.jsonl`,
        Buffer.from(lines),
        this.#deps.now(),
      )
      // SQLite returns within this turn of the event loop. Yield, so that other requests are served in between.
      await nextTurn()
    }
  }

  /** What an operation returns for the caller, page by page. */
  async *#answered(
    { handler }: Route,
    caller: Caller,
    request: RequestFacts,
  ): AsyncGenerator<readonly unknown[]> {
    for (let cursor: string | undefined; ;) {
      const query = cursor === undefined ? { limit: ROWS_AT_ONCE } : { limit: ROWS_AT_ONCE, cursor }
      const context = { caller, query, request } as unknown as Context<OperationName>
      const prepared = await handler.prepare(context)
      const { payload } = await this.#deps.db.read(() => handler.run(context, prepared))
      if (!('status' in payload)) return
      yield [payload.data ?? []].flat()
      if (payload.meta?.next_cursor == null) return
      cursor = payload.meta.next_cursor
    }
  }
}
