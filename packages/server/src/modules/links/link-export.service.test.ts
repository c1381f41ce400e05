import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { LinkExport } from './link-export.service.ts'
import { createLinkStore } from './links.store.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const exporter = () => {
    const { db } = services().core
    return new LinkExport({ db, store: createLinkStore(db), links: links() })
  }

  it('exports more links than one batch, each once, newest first', async () => {
    const user = await services().newUser()
    const urls = Array.from({ length: 401 }, (_, n) => ({ link: `${TO}/${n}` }))
    await links().createMany(user, urls, [])
    const [header = '', ...rows] = (await text(await exporter().export(user, {}))).trimEnd().split('\r\n')
    expect(header.split(',')).toContain('link')
    const at = header.split(',').indexOf('link')
    expect(rows.map((row) => row.split(',')[at])).toEqual(urls.map(({ link }) => link).reverse())
  })

  it('exports the results of a search and a tag, and only column names without results', async () => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    await links().create(user, { link: `${TO}/one`, tag: 'x' })
    await links().create(user, { link: `${TO}/two`, tag: 'x' })
    const lines = async (owner: string, filter: object) =>
      (await text(await exporter().export(owner, filter))).trimEnd().split('\r\n').length - 1
    expect(await lines(user, { tag: 'x' })).toBe(2)
    expect(await lines(user, { search: 'two', tag: 'x' })).toBe(1)
    expect(await lines(other, {})).toBe(0)
  })
})
