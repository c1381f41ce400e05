import { type RawBuilder, sql } from 'kysely'
import { type BytesRow, COPY_PREFIX, COPY_SUFFIX } from './copy-out.ts'
import type { Database } from './database.ts'

/** A value of a statement: a parameter, or written out. */
export type ValueOf = (value: string | number) => unknown

/**
 * Runs `select id, data …`, a text and bytes, on the connection that `db.sql` has. All values go through `valueOf`:
 * PostgreSQL's way to send bytes as they are takes no parameters.
 */
export async function readByteRows(
  db: Pick<Database, 'engine' | 'sql'>,
  select: (valueOf: ValueOf) => RawBuilder<BytesRow>,
): Promise<readonly BytesRow[]> {
  const query =
    db.engine === 'sqlite'
      ? select((value) => value)
      : sql<BytesRow>`${sql.raw(COPY_PREFIX)}${select((value) => sql.lit(value))}${sql.raw(COPY_SUFFIX)}`
  return (await query.execute(db.sql)).rows
}
