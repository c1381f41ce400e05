import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { createHistoryStore, LinkHistory, LinkReverts } from './link-history.ts'

const TO = 'https://example.com/'
const YEAR_MS = 365 * DAY_MS

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const reverts = (nowMs = Date.now()): LinkReverts => {
    const { db, newId } = services().core
    const history = new LinkHistory({ db, store: createHistoryStore(db), now: () => nowMs, newId })
    return new LinkReverts({ links: links(), history, now: () => nowMs })
  }
  const furnished = async () => {
    const user = await services().newUser()
    const { uuid } = await links().create(user, { link: `${TO}0` })
    const edit = (fields: object) => links().edit(user, { uuid, link: `${TO}0`, ...fields }, undefined)
    const history = async (nowMs?: number) => (await reverts(nowMs).list(user, uuid)).items
    return { user, uuid, edit, history }
  }

  describe('the history of a link', () => {
    it('begins with the initial destinations, and leaves out edits that change none', async () => {
      const { edit, history } = await furnished()
      expect(await history()).toMatchObject([{ link: `${TO}0`, current: true, cause: { type: 'created' } }])
      await edit({ title: 'x', tags: ['a'] })
      expect(await history()).toHaveLength(1)
      const rules = [{ if: { country: ['DE'] }, to: TO }]
      await edit({ link: `${TO}1`, rules })
      await edit({ link: `${TO}1`, expire: Date.UTC(2099, 0) })
      expect(await history()).toMatchObject([
        {
          link: `${TO}1`,
          rules,
          expire: '2099-01-01T00:00:00.000Z',
          current: true,
          cause: { type: 'dashboard', name: null },
        },
        { link: `${TO}1`, rules, expire: null, current: false },
        { link: `${TO}0`, rules: [], cause: { type: 'created' } },
      ])
    })

    it('keeps 100 versions, for a year', async () => {
      const { edit, history } = await furnished()
      for (let n = 1; n <= 101; n++) await edit({ link: `${TO}${n}` })
      const kept = await history()
      expect([kept.length, kept[0]?.link, kept[99]?.link]).toEqual([100, `${TO}101`, `${TO}2`])
      expect(await history(Date.now() + YEAR_MS + 1_000)).toMatchObject([{ link: `${TO}101`, current: true }])
    })

    it('is deleted by a job after a year, and newer versions stay', async () => {
      const { db, newId } = services().core
      const { uuid, edit } = await furnished()
      await edit({ link: `${TO}1` })
      const store = createHistoryStore(db)
      const sweep = (nowMs: number) =>
        new LinkHistory({ db, store, now: () => nowMs, newId }).sweep(new AbortController().signal)
      await sweep(Date.now() + YEAR_MS - 60_000)
      expect(await store.list(uuid, 10)).toHaveLength(2)
      await sweep(Date.now() + YEAR_MS + 60_000)
      expect(await store.list(uuid, 10)).toHaveLength(0)
    })

    it('shows that a link was imported, or restored from the trash', async () => {
      const user = await services().newUser()
      const [{ uuid } = { uuid: '' }] = await services().core.db.write(() =>
        links().createImported(user, [
          {
            input: { link: TO },
            isCustom: false,
            passwordHash: null,
            createdAtMs: Date.UTC(2020, 0),
            importedClicks: 0,
            earlierCodes: [],
          },
        ]),
      )
      const causes = async () => (await reverts().list(user, uuid)).items.map(({ cause }) => cause.type)
      expect(await causes()).toEqual(['import'])
      await links().owned.remove(user, { uuid })
      await services().modules.trash.service.restore(user, [uuid])
      expect(await causes()).toEqual(['restore', 'import'])
    })

    it('restores an expiry that has not passed', async () => {
      const { user, uuid, edit, history } = await furnished()
      const [soon, late] = [Date.now() + 60_000, Date.UTC(2099, 0)]
      await edit({ expire: soon })
      await edit({ expire: late })
      const versions = await history()
      const back = async (at: number, nowMs?: number) =>
        (await reverts(nowMs).revert(user, uuid, versions[at]?.version ?? '')).expire
      expect(await back(1)).toBe(new Date(soon).toISOString())
      expect(await back(2)).toBe(null)
      await edit({ expire: late })
      expect(await back(1, soon + 1)).toBe(new Date(late).toISOString())
    })

    it('reverts to a version, which is recorded as a change', async () => {
      const { user, uuid, edit, history } = await furnished()
      const variants = [
        { url: `${TO}a`, weight: 1, name: 'A' },
        { url: `${TO}b`, weight: 1, name: 'B' },
      ]
      await edit({ link: `${TO}1`, variants })
      await edit({ link: `${TO}2`, variants: [], ios_url: `${TO}ios` })
      const [, split, first] = await history()
      expect(await reverts().revert(user, uuid, split?.version ?? '')).toMatchObject({
        link: `${TO}1`,
        variants,
        ios_url: null,
      })
      expect(await reverts().revert(user, uuid, first?.version ?? '')).toMatchObject({
        link: `${TO}0`,
        variants: [],
      })
      expect((await history()).slice(0, 2)).toMatchObject([
        { link: `${TO}0`, cause: { type: 'revert' } },
        { link: `${TO}1`, cause: { type: 'revert' } },
      ])
    })

    it('rejects an unknown version, one of another link, and one whose domain no longer exists', async () => {
      const { user, uuid, edit, history } = await furnished()
      const other = await furnished()
      await other.edit({ link: `${TO}other` })
      const [foreign] = await other.history()
      for (const version of ['unknown', foreign?.version ?? ''])
        await expect(reverts().revert(user, uuid, version)).rejects.toMatchObject({
          code: 'validation',
          errors: { version: ['The link has no such version'] },
        })
      const name = `gone-${uuid.slice(-12)}.example`
      const { domains } = services().modules
      await domains.service.addVerified(name, user)
      await edit({ domain: name })
      await edit({ domain: null })
      const [, onDomain] = await history()
      expect(onDomain?.domain).toBe(name)
      const { db } = services().core
      await db.write(() => db.sql.deleteFrom('domains').where('name', '=', name).execute())
      await expect(reverts().revert(user, uuid, onDomain?.version ?? '')).rejects.toMatchObject({
        code: 'validation',
        errors: { domain: [expect.any(String)] },
      })
    })
  })
})
