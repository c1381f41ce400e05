import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { forEachDatabase, insertTestUser } from './testing.ts'
import { bumpTotal, readTotal } from './totals.ts'
import { isUnavailable } from './unavailable.ts'

async function names(db: Database): Promise<string[]> {
  const rows = await db.sql.selectFrom('sequences').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

forEachDatabase((engine, open, databases) => {
  let db: Database
  const add = (name: string, value = 0) => db.sql.insertInto('sequences').values({ name, value }).execute()

  beforeAll(async () => {
    db = await open()
  })

  describe('write', () => {
    it('commits a job and returns its result', async () => {
      expect(await db.write(async () => (await add('kept'), 'answer'))).toBe('answer')
      expect(await names(db)).toContain('kept')
    })

    it('rolls back only the failing job among jobs of the same turn', async () => {
      const jobs = [
        db.write(() => add('turn-a')),
        db.write(async () => {
          await add('turn-b')
          throw new Error('no')
        }),
        db.write(() => add('turn-c')),
      ]
      const outcomes = await Promise.allSettled(jobs)
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await names(db)).filter((name) => name.startsWith('turn'))).toEqual(['turn-a', 'turn-c'])
    })

    it('rolls back a job whose statement the database rejects', async () => {
      const failing = db.write(async () => {
        await add('first')
        await add('kept')
      })
      await expect(failing).rejects.toThrow()
      expect(await names(db)).not.toContain('first')
    })

    it('sees its own rows, which others see only after the commit', async () => {
      let seenOutside: string[] = []
      await db.write(async () => {
        await add('own')
        expect(await names(db)).toContain('own')
        seenOutside = await outside(() => names(db))
      })
      expect(seenOutside).not.toContain('own')
      expect(await names(db)).toContain('own')
    })

    it('rejects changes outside of a write', async () => {
      await expect(add('stray')).rejects.toThrow('db.write')
      expect(await names(db)).not.toContain('stray')
    })

    it('code that outlives its job reads outside of the transaction', async () => {
      let late: Promise<unknown> = Promise.resolve()
      await db.write(async () => {
        late = delay(20).then(() => add('late'))
        late.catch(() => undefined)
      })
      await expect(late).rejects.toThrow('db.write')
    })
  })

  describe('nested write', () => {
    it('joins the outer one: both are committed or neither', async () => {
      const failing = db.write(async () => {
        await db.write(() => add('inner'))
        throw new Error('outer fails')
      })
      await expect(failing).rejects.toThrow('outer fails')
      expect(await names(db)).not.toContain('inner')
    })

    it('rolls back only itself if the outer one continues', async () => {
      const effects: string[] = []
      await db.write(async () => {
        await add('outer-kept')
        const inner = db.write(async () => {
          db.afterCommit(() => effects.push('inner'))
          await add('inner-dropped')
          await add('outer-kept')
        })
        await expect(inner).rejects.toThrow()
        db.afterCommit(() => effects.push('outer'))
        await add('outer-after')
      })
      const found = await names(db)
      expect(found).toContain('outer-kept')
      expect(found).toContain('outer-after')
      expect(found).not.toContain('inner-dropped')
      expect(effects).toEqual(['outer'])
    })

    it.each([false, true])(
      'ends before the outer one even if nobody awaits it (outer fails: %s)',
      async (fails) => {
        let ended = false
        const outer = db.write(async () => {
          const forgotten = db.write(async () => {
            await delay(10)
            await add(`forgotten-${fails}`)
            ended = true
          })
          forgotten.catch(() => undefined)
          if (fails) throw new Error('no')
        })
        await outer.catch(() => undefined)
        expect(ended).toBe(true)
        expect((await names(db)).includes(`forgotten-${fails}`)).toBe(!fails)
      },
    )

    it('runs siblings one after another', async () => {
      await db.write(async () => {
        const siblings = ['s1', 's2', 's3'].map((name) =>
          db.write(async () => {
            await add(name)
            await db.write(() => add(`${name}-deeper`))
            if (name === 's2') throw new Error('no')
          }),
        )
        await Promise.allSettled(siblings)
      })
      const found = (await names(db)).filter((name) => /^s\d/.test(name))
      expect(found).toEqual(['s1', 's1-deeper', 's3', 's3-deeper'])
    })
  })

  describe('afterCommit', () => {
    it('runs after the commit and before the write returns', async () => {
      const order: string[] = []
      await db
        .write(async () => {
          db.afterCommit(() => order.push('effect'))
          await add('effect')
          order.push('work')
        })
        .then(() => order.push('answer'))
      expect(order).toEqual(['work', 'effect', 'answer'])
    })

    it('does not run when the job is rolled back', async () => {
      let ran = false
      const failing = db.write(async () => {
        db.afterCommit(() => void (ran = true))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(ran).toBe(false)
    })

    it('runs immediately outside of a write, and may write again', async () => {
      let ran = false
      db.afterCommit(() => void (ran = true))
      expect(ran).toBe(true)
      let followUp: Promise<unknown> = Promise.resolve()
      await db.write(async () => db.afterCommit(() => void (followUp = db.write(() => add('follow-up')))))
      await followUp
      expect(await names(db)).toContain('follow-up')
    })

    it('reports a failing effect, and the write still succeeds', async () => {
      const reported: unknown[] = []
      const other = await open({ report: (error) => reported.push(error) })
      let second = false
      await other.write(async () => {
        other.afterCommit(() => {
          throw new Error('effect failed')
        })
        other.afterCommit(() => void (second = true))
      })
      expect(reported).toEqual([new Error('effect failed')])
      expect(second).toBe(true)
    })
  })

  it('counts totals', async () => {
    const user = crypto.randomUUID()
    expect(await readTotal(db, user, 'links')).toBe(0)
    await Promise.all([3, 4, -2].map((delta) => db.write(() => bumpTotal(db, user, 'links', delta))))
    expect(await readTotal(db, user, 'links')).toBe(5)
    expect(await readTotal(db, user, 'pages')).toBe(0)
  })

  it('returns integers, sums and counts as numbers', async () => {
    await db.write(() => add('large', 1_900_000_000_000))
    const row = await db.sql
      .selectFrom('sequences')
      .select((eb) => ['value', eb.fn.sum<number>('value').as('sum'), eb.fn.countAll<number>().as('count')])
      .where('name', '=', 'large')
      .groupBy('value')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ value: 1_900_000_000_000, sum: 1_900_000_000_000, count: 1 })
  })

  it('finishes running writes before it closes, and is then unavailable', async () => {
    const place = await databases.place()
    const closing = await openDatabase(place)
    const writes = [1, 2, 3].map((n) =>
      closing.write(() =>
        closing.sql
          .insertInto('sequences')
          .values({ name: `w${n}`, value: n })
          .execute(),
      ),
    )
    await closing.close()
    await Promise.all(writes)
    const failure = await closing.write(async () => undefined).catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    const again = await openDatabase(place)
    expect(await names(again)).toEqual(['w1', 'w2', 'w3'])
    await again.close()
  })

  it('responds to a ping', async () => {
    await expect(db.ping()).resolves.toBeUndefined()
  })

  if (engine === 'sqlite') {
    it('creates its folder and files for their owner only', async () => {
      const place = await databases.emptyPlace()
      const dataDir = join(place.dataDir, 'new', 'data')
      const one = await openDatabase({ ...place, dataDir })
      await insertTestUser(one)
      const mode = async (path: string) => (await stat(path)).mode & 0o777
      expect(await mode(dataDir)).toBe(0o700)
      for (const file of ['waymark.db', 'waymark.db-wal', 'waymark.db-shm']) {
        expect(await mode(join(dataDir, file))).toBe(0o600)
      }
      await one.close()
    })
  }
})

/** Runs work outside of the current transaction. */
function outside<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    outsideQueue.push(() => work().then(resolve, reject))
  })
}

const outsideQueue: (() => Promise<void>)[] = []
setInterval(() => void outsideQueue.shift()?.(), 5).unref()
