import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** How the modules and eyes of a QR code are shaped, and the caption of its frame; null is as before. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ['style', 'eye_style', 'frame'])
    await dialect.addColumn(db, 'qrcodes', column, 'text?')
}
