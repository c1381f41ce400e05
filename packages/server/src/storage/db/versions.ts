import type { Database } from './database.ts'

/** Lets every process see that what it keeps in memory is no longer what it was; inside the write that changes it. */
export async function bumpVersion(db: Database, name: string): Promise<void> {
  await db.sql
    .insertInto('sequences')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('sequences.value', '+', 1) })),
    )
    .execute()
}

export async function readVersion(db: Database, name: string): Promise<number> {
  const row = await db.sql.selectFrom('sequences').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? 0
}
