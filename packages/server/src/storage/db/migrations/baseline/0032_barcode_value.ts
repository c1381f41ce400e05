import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** The text or number that a barcode encodes in place of its URL; null where it encodes a URL. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'barcodes', 'value', 'text?')
}
