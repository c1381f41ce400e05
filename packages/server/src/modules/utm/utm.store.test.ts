import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createUtmStore, type UtmLinkRow } from './utm.store.ts'

forEachDatabase((_engine, open) => {
  it('finds other spellings of a value in the user’s links, ignoring case', async () => {
    const db = await open()
    const store = createUtmStore(db)
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    const row = (workspace_uuid: string, n: number, source: string | null): UtmLinkRow => ({
      uuid: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      workspace_uuid,
      url: 'https://example.com/',
      source,
      medium: null,
      campaign: null,
      content: null,
      term: null,
      utm_url: '',
      link_uuid: null,
      warnings: '[]',
      created_by: null,
      created_at: n,
      updated_at: n,
      trashed_at: 0,
    })
    const sources = ['News', 'NEWS', 'news', 'Newsletter', 'n_ws', null, 'News']
    const rows = sources.map((source, n) => row(user, n, source))
    await db.write(async () => {
      for (const each of [...rows, row(other, 100, 'nEWS')]) await store.insert(each)
    })
    const spellings = (value: string, except = '') => store.findSpellings(user, 'source', value, except)
    expect((await spellings('news')).toSorted()).toEqual(['NEWS', 'News'])
    expect(await spellings('newsletter')).toEqual(['Newsletter'])
    expect(await spellings('newsletter', rows[3]?.uuid)).toEqual([])
    // An underscore is an ordinary character.
    expect(await spellings('N_WS')).toEqual(['n_ws'])
    expect(await store.findSpellings(user, 'medium', 'news', '')).toEqual([])
  })
})
