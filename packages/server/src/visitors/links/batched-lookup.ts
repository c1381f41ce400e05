import { REMOVED } from './decide.ts'
import { TARGET_COLUMNS, toTarget } from './lookup.ts'
import type { RoutingTools } from './routing.ts'
import type { Lookup, TargetFound, TargetRow, TombstoneHash } from './lookup.ts'

/** Runs one statement and returns its rows as arrays of column values. */
export type QueryRows = (text: string, values: readonly unknown[]) => Promise<readonly unknown[][]>

export interface BatchLimits {
  /** Codes in one statement. */
  readonly maxBatch: number
  /** Maximum number of concurrent statements; more would only queue inside the database. */
  readonly maxStatements: number
  /** Codes waiting for a statement; beyond that the database is overloaded and the visitor gets 503. */
  readonly maxWaiting: number
}

export const defaultGatherLimits: BatchLimits = { maxBatch: 500, maxStatements: 2, maxWaiting: 10_000 }

export class LookupOverloadedError extends Error {
  override readonly name = 'LookupOverloadedError'
}

interface Asked {
  readonly domain: string
  readonly shortCode: string
  readonly done: TargetFound
}

export const GATHERED_SQL = `select a.i, t.hash is not null, ${TARGET_COLUMNS}
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a (domain, short_code, hash, i)
  left join short_codes c on c.domain = a.domain and c.short_code = a.short_code
  left join links l on l.uuid = c.link_uuid
  left join erasures e on e.workspace_uuid = l.workspace_uuid
  left join domains d on d.name = c.domain
  left join tombstones t on t.hash = a.hash`

/**
 * PostgreSQL: the misses of one turn of the event loop are looked up in one statement, and further ones form the next
 * statement while the maximum number is running. One round trip per short code would cost several times as much.
 */
export function batchedLookup(
  query: QueryRows,
  tombstoneHash: TombstoneHash,
  tools: RoutingTools,
  limits: BatchLimits = defaultGatherLimits,
): Lookup {
  const waiting: Asked[] = []
  let running = 0
  let scheduled = false

  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || running >= limits.maxStatements) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (waiting.length > 0 && running < limits.maxStatements) start(waiting.splice(0, limits.maxBatch))
    })
  }

  const start = (batch: Asked[]): void => {
    running++
    ask(batch).then(
      (targets) => finish(batch, (index) => [null, targets[index] ?? null]),
      // The look-ups that wait behind a failed statement would only wait for the next failure.
      (error: unknown) => finish([...batch, ...waiting.splice(0)], () => [error, null]),
    )
  }

  const finish = (batch: Asked[], answer: (index: number) => Parameters<TargetFound>): void => {
    running--
    schedule()
    batch.forEach(({ done }, index) => done(...answer(index)))
  }

  const ask = async (batch: Asked[]) => {
    const rows = await query(GATHERED_SQL, [
      batch.map(({ domain }) => domain),
      batch.map(({ shortCode }) => shortCode),
      batch.map(({ domain, shortCode }) => tombstoneHash(domain, shortCode)),
    ])
    return targetsInOrder(rows, batch.length, tools)
  }

  return {
    find(domain, shortCode, done) {
      if (waiting.length >= limits.maxWaiting) {
        done(new LookupOverloadedError('Too many look-ups are waiting for the database'), null)
        return
      }
      waiting.push({ domain, shortCode, done })
      schedule()
    },
  }
}

function targetsInOrder(rows: readonly unknown[][], count: number, tools: RoutingTools) {
  const targets = Array.from({ length: count }, () => null as ReturnType<typeof toTarget>)
  for (const [ordinal, erased, ...columns] of rows) {
    const linkId = columns[0]
    const target = linkId === null ? null : toTarget(columns as unknown as TargetRow, tools)
    targets[Number(ordinal) - 1] = linkId === null && erased === true ? REMOVED : target
  }
  return targets
}
