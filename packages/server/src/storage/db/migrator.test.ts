import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDatabase } from './open.ts'
import type { Migration } from './migrations.ts'
import { SchemaTooNewError, SchemaUnreleasedError } from './migrator.ts'
import { forEachDatabase, insertTestUser } from './testing.ts'

forEachDatabase((_engine, _open, databases) => {
  describe('migrations', () => {
    it('run once and leave the data alone when opened again', async () => {
      const place = await databases.emptyPlace()
      const first = await openDatabase(place)
      const user = await insertTestUser(first)
      await first.close()
      const second = await openDatabase(place)
      const found = await second.sql.selectFrom('users').select('uuid').execute()
      await second.close()
      expect(found).toEqual([{ uuid: user }])
    })

    it('come through whole when several open the same new database at once', async () => {
      const place = await databases.emptyPlace()
      const all = await Promise.all([1, 2, 3, 4].map(() => openDatabase(place)))
      for (const one of all) await insertTestUser(one)
      expect(await all[0]?.sql.selectFrom('users').select('uuid').execute()).toHaveLength(4)
      await Promise.all(all.map((one) => one.close()))
    })

    it('leave nothing behind when one of them fails', async () => {
      const place = await databases.emptyPlace()
      const half = sql`create table half (id integer)`
      const broken = async (handle: Kysely<unknown>): Promise<void> => {
        await half.execute(handle)
        await sql`select * from nowhere`.execute(handle)
      }
      const repaired = async (handle: Kysely<unknown>): Promise<void> => void (await half.execute(handle))
      const openWith = (up: Migration['up']) => openDatabase({ ...place, migrations: [{ name: '0001', up }] })
      await expect(openWith(broken)).rejects.toThrow('nowhere')
      await (await openWith(repaired)).close()
    })

    const making = (table: string, release?: string): Migration => ({
      name: table,
      release,
      up: async (handle) => void (await sql.raw(`create table "${table}" (id integer)`).execute(handle)),
    })

    it('upgrade the schema of an earlier release, and none that was never released', async () => {
      const place = await databases.emptyPlace()
      const openWith = (...migrations: Migration[]) => openDatabase({ ...place, migrations })
      const [first, second, third] = [making('0001_a'), making('0002_b', '1.0.0'), making('0003_c')]
      await (await openWith(first)).close()
      await expect(openWith(first, second)).rejects.toThrow(/^The schema .* no release .*lacks 0002_b.*$/)
      await (await openWith(first)).close()

      const released = await databases.emptyPlace()
      const openReleased = (...migrations: Migration[]) => openDatabase({ ...released, migrations })
      await (await openReleased(first, second)).close()
      await (await openReleased(first, second, third)).close()
      await (await openReleased(first, second, third)).close()
      const fourth = making('0004_d')
      await expect(openReleased(first, second, third, fourth)).rejects.toThrow('lacks 0004_d')
    })

    it('stop with one clear line when one of them was another one then', async () => {
      const place = await databases.emptyPlace()
      const up = (table: string) => async (handle: Kysely<unknown>) =>
        void (await sql.raw(`create table "${table}" (id integer)`).execute(handle))
      await (await openDatabase({ ...place, migrations: [{ name: '0001', up: up('a') }] })).close()
      await (await openDatabase({ ...place, migrations: [{ name: '0001', up: up('a') }] })).close()
      const failure = await openDatabase({ ...place, migrations: [{ name: '0001', up: up('b') }] }).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(SchemaUnreleasedError)
      expect((failure as Error).message.split('\n')).toHaveLength(1)
    })

    it('stop at data from before checksums', async () => {
      const place = await databases.emptyPlace()
      const early = await openDatabase(place)
      await early.write(() => early.sql.updateTable('schema_migrations').set({ checksum: null }).execute())
      await early.close()
      await expect(openDatabase(place)).rejects.toThrow(SchemaUnreleasedError)
    })

    it('stop at data that has others in their place', async () => {
      const place = await databases.emptyPlace()
      const openWith = (...migrations: Migration[]) => openDatabase({ ...place, migrations })
      await (await openWith(making('0001_a'), making('0002_b'))).close()
      const failure = await openWith(making('0001_baseline', '1.0.0')).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(SchemaUnreleasedError)
      expect((failure as Error).message).toContain('it has 0001_a')
    })

    it('stop with one clear line at data of a newer version', async () => {
      const place = await databases.emptyPlace()
      const newer = await openDatabase(place)
      await newer.write(() =>
        newer.sql
          .insertInto('schema_migrations')
          .values({ name: '9999_future', applied_at: 0, checksum: null })
          .execute(),
      )
      await newer.close()
      const failure = await openDatabase(place).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(SchemaTooNewError)
      expect((failure as Error).message).toMatch(/^This data was written by a newer Waymark .*9999_future.*$/)
    })
  })
})
