import { sql } from 'kysely'
import type { Secrets } from './secrets.ts'
import type { Database } from './db/database.ts'
import type { Tables } from './db/tables.ts'

/** Rows encrypted again in one transaction. This bounds how long other writes wait. */
const ROWS_AT_ONCE = 200

export interface Rotated {
  /** Rows that were sealed with the previous secret. */
  readonly sealed: number
  /** Rows that were sealed with the current secret already. */
  readonly present: number
}

interface Sealed {
  /** The primary key. */
  readonly id: string
  readonly context: string
  readonly sealed: string
}

/** A column that is sealed with the secret, its primary key, and the context of each value. */
interface SealedColumn {
  readonly table: keyof Tables
  readonly column: string
  readonly id: string
  readonly context: string
}

/** Every sealed column. Add new ones here. */
const SEALED: readonly SealedColumn[] = [
  { table: 'api_keys', column: 'secret_sealed', id: 'uuid', context: 'api_key' },
  { table: 'webhooks', column: 'secret_sealed', id: 'uuid', context: 'uuid' },
  { table: 'shared_statistics', column: 'token_sealed', id: 'uuid', context: 'uuid' },
  { table: 'totp_factors', column: 'secret_sealed', id: 'user_uuid', context: 'user_uuid' },
  { table: 'kept_keys', column: 'sealed', id: 'name', context: 'name' },
]

/** Seals everything with the current secret, in small transactions, while the service runs. */
export async function rotateSecret(db: Database, secrets: Secrets): Promise<Rotated> {
  let [sealed, present] = [0, 0]
  for (const column of SEALED) {
    for (let after = ''; ;) {
      const last = await db.write(async () => {
        const rows = await listSealed(db, column, after)
        for (const row of rows) {
          const anew = secrets.reseal(row.sealed, row.context)
          if (anew === undefined) present++
          else {
            await replaceSealed(db, column, row, anew)
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

async function listSealed(
  db: Database,
  { table, column, id, context }: SealedColumn,
  after: string,
): Promise<Sealed[]> {
  const [from, idRef, sealed] = [sql.table(table), sql.ref(id), sql.ref(column)]
  const query = sql<Sealed>`select ${idRef} as id, ${sql.ref(context)} as context, ${sealed} as sealed
    from ${from} where ${idRef} > ${after} order by ${idRef} limit ${ROWS_AT_ONCE}`
  return (await query.execute(db.sql)).rows
}

/** Only if the row has not changed meanwhile. */
async function replaceSealed(
  db: Database,
  { table, column, id }: SealedColumn,
  row: Sealed,
  anew: string,
): Promise<void> {
  const sealed = sql.ref(column)
  await sql`update ${sql.table(table)} set ${sealed} = ${anew}
    where ${sql.ref(id)} = ${row.id} and ${sealed} = ${row.sealed}`.execute(db.sql)
}
