import type { Reads } from '../../storage/db/database.ts'

/** What visitors may know of a QR code or barcode without drawing it. */
export interface PublicCode {
  readonly version: string
  readonly trashed_at: number
  /** Contacts and Wi-Fi networks: only the full address, with the version, shows them. */
  readonly isPrivate: boolean
}

/** The code of any existing workspace, including codes in the trash. */
export async function findPublicCode(db: Reads, uuid: string): Promise<PublicCode | undefined> {
  const qrcode = await db.sql
    .selectFrom('qrcodes')
    .innerJoin('workspaces', 'workspaces.uuid', 'qrcodes.workspace_uuid')
    .select(['qrcodes.version', 'qrcodes.trashed_at', 'qrcodes.content'])
    .where('qrcodes.uuid', '=', uuid)
    .where('workspaces.removed_at', 'is', null)
    .executeTakeFirst()
  if (qrcode !== undefined)
    return { version: qrcode.version, trashed_at: qrcode.trashed_at, isPrivate: qrcode.content !== null }
  const barcode = await db.sql
    .selectFrom('barcodes')
    .innerJoin('workspaces', 'workspaces.uuid', 'barcodes.workspace_uuid')
    .select(['barcodes.version', 'barcodes.trashed_at'])
    .where('barcodes.uuid', '=', uuid)
    .where('workspaces.removed_at', 'is', null)
    .executeTakeFirst()
  return barcode && { ...barcode, isPrivate: false }
}
