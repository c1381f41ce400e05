import { pipeline, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import { type OperationSchemas, schemas } from '@waymark/contract/schemas'
import type { Context, RequestFacts, Route, Routes } from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
import { openDownload } from '../../net/admission/lanes.ts'
import type { Statistics } from '../../clicks/statistics/statistics.ts'
import type { WorkspaceStore } from '../../accounts/users/workspaces.store.ts'
import { TAR_END, tarFile } from '../../storage/backups/tar.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import { nextTurn } from '../../work/turns.ts'
import { listParts, readPart } from '../../clicks/statistics/stored-clicks.ts'
import { plainSums } from '../../clicks/statistics/sums.ts'

export interface TakeoutDependencies {
  readonly db: Database
  readonly workspaces: Pick<WorkspaceStore, 'firstOf'>
  readonly statistics: Pick<Statistics, 'clicks'>
  readonly blobs: Pick<BlobReferences, 'get'>
  readonly routes: () => Routes
  readonly now: () => number
}

/** Rows per piece, which is in memory while its client does not read. */
const ROWS_AT_ONCE = 100
const README = `Everything that your workspace has; your first workspace also has your profile, sessions and feedback. Files named NAME-0001.jsonl hold one JSON object a line: what the
operation NAME of the API returns, and clicks, click-sums, feedback and webhook-deliveries, which no operation lists
whole. Pictures are in files/, named by their content. Times without a zone are milliseconds since 1970 (UTC).
`

/** Reads without parameters: of the workspace, and in the user's first one also of the user. */
const isTaken = (name: OperationName, hasOwn: boolean): boolean => {
  const { method, auth, returns, role }: Operation = operations[name]
  const { query }: OperationSchemas = schemas[name]
  const needsNothing = query === undefined || query.safeParse({}).success
  const isOwn = role !== undefined || hasOwn
  return method === 'GET' && auth !== 'none' && returns === undefined && needsNothing && isOwn
}

/** Writes archives of accounts in pieces, so that memory usage does not grow with the account. */
export class Takeout {
  readonly #deps: TakeoutDependencies

  constructor(deps: TakeoutDependencies) {
    this.#deps = deps
  }

  /** Fails before the response begins if clicks cannot be read. */
  async open(caller: Caller, request: RequestFacts): Promise<Readable> {
    const pieces = await openDownload(this.#pieces(caller, request))
    return pipeline(pieces, createGzip(), () => {})
  }

  async *#pieces(caller: Caller, request: RequestFacts): AsyncGenerator<Buffer> {
    const { db, workspaces, statistics, blobs, routes, now } = this.#deps
    const { userUuid, workspaceUuid } = caller
    // The user's own data is only in the takeout of the user's first workspace.
    const isFirst = (await workspaces.firstOf(userUuid))?.uuid === workspaceUuid
    const owner: Owner = { workspaceUuid, userUuid: isFirst ? userUuid : null }
    const file = (name: string, bytes: Buffer): Buffer => tarFile(name, bytes, now())
    const [clicks, ...others] = unlistedRows(db, statistics, owner).map(({ name, rows }) =>
      this.#parts(name, rows),
    )
    const first = await clicks?.next()
    yield file('README.txt', Buffer.from(README))
    if (clicks !== undefined && first?.done === false) {
      yield first.value
      yield* clicks
    }
    for (const route of routes().filter(({ name }) => isTaken(name, isFirst)))
      yield* this.#parts(route.name, this.#answered(route, caller, request))
    for (const parts of others) yield* parts
    for (const hash of await db.read(() => storedFiles(db, owner))) {
      const bytes = await blobs.get(hash)
      if (bytes !== undefined) yield file(`files/${hash}`, Buffer.from(bytes))
    }
    yield TAR_END
  }

  /** Files of some rows each, because an archive has the size of a file before its content. */
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

  /** The results of an operation, page by page. */
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

const UNLISTED_AT_ONCE = 500
const CLICKS_AT_ONCE = 5_000

type Pages = AsyncGenerator<readonly unknown[]>

/** A workspace, and the user whose own data is part of the takeout. */
interface Owner {
  readonly workspaceUuid: string
  readonly userUuid: string | null
}

/** Data of a workspace that no operation lists, and the feedback of its user: clicks first. */
const unlistedRows = (
  db: Database,
  statistics: Pick<Statistics, 'clicks'>,
  { workspaceUuid, userUuid }: Owner,
): { name: string; rows: Pages }[] => [
  { name: 'clicks', rows: clicks(statistics, workspaceUuid) },
  { name: 'click-sums', rows: clickSums(db, workspaceUuid) },
  ...(userUuid === null ? [] : [{ name: 'feedback', rows: inPages((last) => feedback(db, userUuid, last)) }]),
  { name: 'webhook-deliveries', rows: inPages((last) => deliveries(db, workspaceUuid, last)) },
]

/** The names of the stored files of the workspace and its user. */
async function storedFiles(db: Database, { workspaceUuid, userUuid }: Owner): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('blob_refs')
    .select('hash')
    .distinct()
    .where((eb) => {
      const ofWorkspace = eb('workspace_uuid', '=', workspaceUuid)
      return userUuid === null ? ofWorkspace : eb.or([ofWorkspace, eb('user_uuid', '=', userUuid)])
    })
    .orderBy('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

async function* inPages(read: (after: string) => Promise<readonly { readonly uuid: string }[]>): Pages {
  for (let last = ''; ;) {
    const rows = await read(last)
    yield rows
    if (rows.length < UNLISTED_AT_ONCE) return
    last = rows.at(-1)?.uuid ?? ''
  }
}

const feedback = (db: Database, userUuid: string, after: string) =>
  db.read(() =>
    db.sql
      .selectFrom('feedback')
      .select(['uuid', 'feedback', 'image_hash', 'created_at'])
      .where('user_uuid', '=', userUuid)
      .where('uuid', '>', after)
      .orderBy('uuid')
      .limit(UNLISTED_AT_ONCE)
      .execute(),
  )

const deliveries = async (db: Database, workspaceUuid: string, after: string) => {
  const rows = await db.read(() =>
    db.sql
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('workspace_uuid', '=', workspaceUuid)
      .where('uuid', '>', after)
      .orderBy('uuid')
      .limit(UNLISTED_AT_ONCE)
      .execute(),
  )
  return rows.map(({ workspace_uuid: _owner, ...row }) => row)
}

/** Single clicks, as long as they are stored. */
async function* clicks(statistics: Pick<Statistics, 'clicks'>, workspaceUuid: string): Pages {
  const all = { workspaceUuid, scope: undefined, retainedFromMs: 0, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  let rows: unknown[] = []
  for await (const { atMs, resourceUuid, ...click } of statistics.clicks(all)) {
    rows.push({ resource_uuid: resourceUuid, ...click, at: new Date(atMs).toISOString() })
    if (rows.length < CLICKS_AT_ONCE) continue
    yield rows
    rows = []
  }
  yield rows
}

/** Sums of clicks by hour, and by day and value, which outlive single clicks. */
async function* clickSums(db: Database, workspaceUuid: string): Pages {
  const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  for (const { month, id } of await db.read(() => listParts(db, workspaceUuid, all)))
    yield* plainSums(month, await db.read(() => readPart(db, workspaceUuid, month, id)))
}
