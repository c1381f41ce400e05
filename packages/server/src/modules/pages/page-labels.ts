import type { Database } from '../../storage/db/database.ts'
import { nameOfButton } from './page-buttons.ts'
import { configOf } from './page-config.ts'

/** Names of clickable items on a page, by the numbers that clicks include. */
export type PageLabels = Readonly<Record<'button' | 'icon', ReadonlyMap<string, string>>>

/** `undefined` if the user has no such page. */
export async function readPageLabels(
  db: Database,
  workspaceUuid: string,
  uuid: string,
): Promise<PageLabels | undefined> {
  const row = await db.sql
    .selectFrom('pages')
    .select('config')
    .where('uuid', '=', uuid)
    .where('workspace_uuid', '=', workspaceUuid)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { buttons, socialIcons } = configOf(row)
  return {
    button: new Map(buttons.map((button) => [String(button.id), nameOfButton(button)])),
    icon: new Map(socialIcons.map(({ name }, at) => [String(at), name])),
  }
}
