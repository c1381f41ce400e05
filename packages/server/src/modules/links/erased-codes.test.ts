import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { openServices } from '../../compose/services.ts'
import { readConfig } from '../../config.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'

forEachDatabase((engine, _open, databases) => {
  it('never reuses a short code whose link is being erased at the same time', async () => {
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
    const [owner, other] = [await insertTestUser(db), await insertTestUser(db)]
    const link = 'https://example.com/'
    const { uuid } = await links.create(owner, { link, customLink: 'leaving' })

    const [removed, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removal = db.write(async () => {
      await links.owned.remove(owner, { uuid, permanent: true })
      removed.resolve()
      await committed.promise
    })
    await removed.promise
    const taking = links.create(other, { link, customLink: 'leaving' })
    const outcome = expect(taking).rejects.toMatchObject({ code: 'code_taken' })
    // PostgreSQL: the insert is running, and waits for the row that is being deleted.
    if (engine === 'postgres')
      await vi.waitFor(async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db.sql)
        expect(rows).toHaveLength(1)
      })
    committed.resolve()
    await removal
    await outcome
    await services.close()
  })
})
