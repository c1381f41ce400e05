import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openServices } from '../../compose/services.ts'
import { readConfig } from '../../config.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'

forEachDatabase((_engine, _open, databases) => {
  it('keeps a short code that was chosen before its word was reserved', async () => {
    const { url, dataDir } = await databases.place()
    const services = await openServices(
      readConfig({
        DATA_DIR: dataDir,
        ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'a secret for tests that nobody knows' }),
      }),
      pino({ level: 'silent' }),
    )
    const { db } = services.core
    const links = services.modules.links.service
    const user = await insertTestUser(db)
    const link = 'https://example.com/'
    const old = await links.create(user, { link, customLink: 'before' })
    await db.write(async () => {
      for (const table of ['short_codes', 'links'] as const)
        await db.sql
          .updateTable(table)
          .set({ short_code: 'login' })
          .where('short_code', '=', 'before')
          .execute()
    })

    const edit = (uuid: string, customLink: string) => links.edit(user, { uuid, link, customLink }, undefined)
    expect(await edit(old.uuid, 'login')).toMatchObject({ code: 'login' })
    // Its earlier codes still belong to it, so it can use one of them again.
    expect(await edit(old.uuid, 'other')).toMatchObject({ code: 'other' })
    expect(await edit(old.uuid, 'login')).toMatchObject({ code: 'login' })

    const young = await links.create(user, { link })
    await expect(edit(young.uuid, 'admin')).rejects.toMatchObject({
      status: 422,
      errors: { customLink: ['This word is reserved'] },
    })
    // A destination that is such a link would be a loop.
    expect(() => links.rejectLoop(old.short_url, 'link')).toThrow(/./)
    await services.close()
  })
})
