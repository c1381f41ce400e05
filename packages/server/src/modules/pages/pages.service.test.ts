import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadedFile } from '@waymark/contract'
import { pino } from 'pino'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { RemovalService } from '../../accounts/users/removal.service.ts'
import type { LinkService } from '../links/links.service.ts'
import type { Database } from '../../storage/db/database.ts'
import type { PageService } from './pages.service.ts'
import { openServices } from '../../compose/services.ts'
import { readConfig } from '../../config.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { prepareUploads } from '../../imaging/uploads/images.ts'
import type { PageCreate } from './page-config.ts'

const TABLES = ['pages', 'page_slugs', 'links', 'short_codes', 'qrcodes', 'blobs', 'blob_refs'] as const

const upload = async (background: string, folder: string): Promise<UploadedFile> => {
  const path = join(folder, `${background.slice(1)}.png`)
  await sharp({ create: { width: 20, height: 10, channels: 3, background } }).toFile(path)
  const file = new UploadedFile({ path, size: 100, filename: 'x.png' })
  await prepareUploads([file])
  return file
}

interface Services {
  readonly db: Database
  readonly blobs: BlobReferences
  readonly links: LinkService
  readonly removal: RemovalService
  readonly pages: PageService
  readonly close: () => Promise<void>
}

forEachDatabase((engine, _open, databases) => {
  const opened = async (): Promise<{ core: Services; user: string; dataDir: string }> => {
    const { url, dataDir } = await databases.place()
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '3999',
      ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'a secret for tests that nobody knows' }),
    })
    const services = await openServices(config, pino({ level: 'silent' }))
    const { accounts, links, pages } = services.modules
    const { db, blobs } = services.core
    const core: Services = {
      db,
      blobs,
      pages: pages.service,
      links: links.service,
      removal: accounts.removal,
      close: services.close,
    }
    return { core, user: await insertTestUser(core.db), dataDir }
  }

  const counts = async ({ db }: Services): Promise<number[]> => {
    const all: number[] = []
    for (const table of TABLES) {
      const { rows } = await db.sql
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      all.push(rows)
    }
    return all
  }

  const storedFiles = async (dataDir: string): Promise<string[]> => {
    const names = await readdir(dataDir, { recursive: true })
    return names.filter((name) => /[0-9a-f]{64}/.test(name))
  }

  const input = (slug: string, images: UploadedFile[]): PageCreate => ({
    title: 'T',
    slug,
    logoPosition: 'top-left',
    images,
    buttons: [{ label: 'b' }],
  })

  it('creates all parts of a page or none, and leaves no file behind', async () => {
    const { core, user, dataDir } = await opened()
    const link = await core.links.create(user, { link: 'https://example.com/' })
    const before = await counts(core)

    const composed = await core.pages.compose(user, input('a', [await upload('#112233', dataDir)]))
    expect(await storedFiles(dataDir)).toHaveLength(1)
    // The last part fails: its short code is taken.
    const doomed = { ...composed, shortCode: link.code }
    await expect(core.pages.create(user, doomed)).rejects.toMatchObject({ status: 409 })
    await core.pages.discard(doomed)
    await core.blobs.settled()
    expect(await counts(core)).toEqual(before)
    expect(await storedFiles(dataDir)).toEqual([])

    const again = await core.pages.compose(user, input('a', [await upload('#112233', dataDir)]))
    const page = await core.pages.create(user, again)
    expect(page.short_link.owner).toEqual({ type: 'page', uuid: page.uuid })
    await core.close()
  })

  it('accepts only one of two edits of the same version', async () => {
    const { core, user, dataDir } = await opened()
    const page = await core.pages.create(
      user,
      await core.pages.compose(user, input('a', [await upload('#445566', dataDir)])),
    )
    const edit = {
      uuid: page.uuid,
      title: 'New',
      logoPosition: 'top-left' as const,
      buttons: [{ label: 'b' }],
    }
    const [first, second] = [
      await core.pages.recompose(user, { ...edit, images: [await upload('#778899', dataDir)] }),
      await core.pages.recompose(user, { ...edit, title: 'Other' }),
    ]
    expect((await core.pages.edit(user, first)).title).toBe('New')
    await expect(core.pages.edit(user, second)).rejects.toMatchObject({ code: 'conflict' })
    await core.pages.discard(second)
    await core.blobs.settled()
    expect(await storedFiles(dataDir)).toHaveLength(1)
    await core.close()
  })

  it('is erased with its owner, and its address is never reused', async () => {
    const { core, user, dataDir } = await opened()
    const other = await insertTestUser(core.db)
    await core.pages.create(
      user,
      await core.pages.compose(user, input('mine', [await upload('#aabbcc', dataDir)])),
    )
    await core.removal.remove(user, 'enough')
    await core.removal.erase(user)
    expect(await counts(core)).toEqual(TABLES.map(() => 0))
    expect(await storedFiles(dataDir)).toEqual([])
    await expect(core.pages.compose(other, input('mine', []))).rejects.toMatchObject({ code: 'slug_taken' })
    expect(engine).toBe(core.db.engine)
    await core.close()
  })
})
