import { type RawBuilder, sql } from 'kysely'
import { type BytesRow, COPY_PREFIX, COPY_SUFFIX } from './copy-out.ts'
import type { Database } from './database.ts'

/** A value in a statement: a parameter or a literal. */
export type ValueOf = (value: string | number) => unknown

/**
 * Runs `select id, data …`, a text and bytes, on the connection of `db.sql`. All values must be passed through `valueOf`:
 * the binary format of PostgreSQL's `copy` does not support parameters.
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
