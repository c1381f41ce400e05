import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadedFile } from '@waymark/contract'
import { signedIn, type TestServices } from '../testing.ts'
import type { ImportRow } from './imports.store.ts'

export const TO = 'https://example.com/there'
export const unique = (): string => crypto.randomUUID().slice(0, 13)

/** Uploads files and runs imports without a server. */
export function testImports(services: () => TestServices) {
  const imports = () => services().modules.imports
  const links = () => services().modules.links.service
  const prepare = async (user: string, content: string, options: object = {}, filename = 'links.csv') => {
    const path = join(services().dataDir, `${crypto.randomUUID()}.csv`)
    await writeFile(path, content)
    const file = new UploadedFile({ path, size: Buffer.byteLength(content), filename })
    return imports().service.prepare(signedIn(user), { file, ...options })
  }
  const upload = async (user: string, content: string, options: object = {}, filename?: string) =>
    imports().service.create(user, await prepare(user, content, options, filename))
  const rowOf = (uuid: string): Promise<ImportRow> =>
    services()
      .core.db.sql.selectFrom('imports')
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
  /** Runs turns of an import until it has ended. */
  const runToEnd = async (user: string, uuid: string) => {
    for (let turns = 0; turns < 100; turns++) {
      const row = await rowOf(uuid)
      if (row.state !== 'running' && row.state !== 'undoing')
        return (await imports().service.list(user, { uuid })).items[0]
      await imports().runner.runSlice(row)
    }
    throw new Error('The import does not end')
  }
  const codesOf = async (user: string): Promise<string[]> => {
    const rows = await services()
      .core.db.sql.selectFrom('links')
      .select('short_code')
      .where('workspace_uuid', '=', user)
      .orderBy('short_code')
      .execute()
    return rows.map(({ short_code }) => short_code)
  }
  return { imports, links, prepare, upload, rowOf, runToEnd, codesOf }
}
