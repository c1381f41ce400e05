import type { Secrets } from '../runtime/secrets.ts'
import type { Database } from './db/database.ts'

/** Rows that one transaction encrypts again. Other writes wait no longer than that. */
const ROWS_AT_ONCE = 200

export interface Rotated {
  /** Rows that were sealed with the previous secret. */
  readonly sealed: number
  /** Rows that had the present secret already. */
  readonly present: number
}

interface Sealed {
  /** The primary key. */
  readonly id: string
  readonly context: string
  readonly sealed: string
}

/** A table with a sealed column: how a batch of it is read, and one row of it replaced. */
interface SealedTable {
  readonly list: (after: string) => Promise<Sealed[]>
  /** Only if it still is what was read. */
  readonly replace: (row: Sealed, sealed: string) => Promise<unknown>
}

/** Everything that is sealed with the secret. A new sealed column belongs here. */
const sealedTables = (db: Database): SealedTable[] => [
  {
    list: (after) =>
      db.sql
        .selectFrom('api_keys')
        .select(['uuid as id', 'api_key as context', 'secret_sealed as sealed'])
        .where('uuid', '>', after)
        .orderBy('uuid')
        .limit(ROWS_AT_ONCE)
        .execute(),
    replace: ({ id, sealed }, secret_sealed) =>
      db.sql
        .updateTable('api_keys')
        .set({ secret_sealed })
        .where('uuid', '=', id)
        .where('secret_sealed', '=', sealed)
        .execute(),
  },
  {
    list: (after) =>
      db.sql
        .selectFrom('webhooks')
        .select(['uuid as id', 'uuid as context', 'secret_sealed as sealed'])
        .where('uuid', '>', after)
        .orderBy('uuid')
        .limit(ROWS_AT_ONCE)
        .execute(),
    replace: ({ id, sealed }, secret_sealed) =>
      db.sql
        .updateTable('webhooks')
        .set({ secret_sealed })
        .where('uuid', '=', id)
        .where('secret_sealed', '=', sealed)
        .execute(),
  },
  {
    list: (after) =>
      db.sql
        .selectFrom('kept_keys')
        .select(['name as id', 'name as context', 'sealed'])
        .where('name', '>', after)
        .orderBy('name')
        .limit(ROWS_AT_ONCE)
        .execute(),
    replace: ({ id, sealed: before }, sealed) =>
      db.sql
        .updateTable('kept_keys')
        .set({ sealed })
        .where('name', '=', id)
        .where('sealed', '=', before)
        .execute(),
  },
]

/** Seals everything with the present secret, in small transactions, while the service runs. */
export async function rotateSecret(db: Database, secrets: Secrets): Promise<Rotated> {
  let [sealed, present] = [0, 0]
  for (const { list, replace } of sealedTables(db)) {
    for (let after = ''; ;) {
      const last = await db.write(async () => {
        const rows = await list(after)
        for (const row of rows) {
          const anew = secrets.sealAnew(row.sealed, row.context)
          if (anew === undefined) present++
          else {
            await replace(row, anew)
            sealed++
          }
        }
        return rows.at(-1)
      })
      if (last === undefined) break
      after = last.id
    }
  }
  return { sealed, present }
}
