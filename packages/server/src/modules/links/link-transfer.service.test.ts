import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UploadedFile } from '@waymark/contract'
import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { LinkTransfer } from './link-transfer.service.ts'
import { createLinkStore } from './links.store.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const transfer = () => {
    const { db } = services().core
    return new LinkTransfer({ db, store: createLinkStore(db), links: links() })
  }
  const file = async (content: string): Promise<UploadedFile> => {
    const path = join(services().dataDir, `${crypto.randomUUID()}.csv`)
    await writeFile(path, content)
    return new UploadedFile({ path, size: content.length, filename: 'links.csv' })
  }
  const importing = async (user: string, content: string) =>
    transfer().import(user, await transfer().prepare(user, await file(content)))

  it('exports more links than are read at once, each of them once, newest first', async () => {
    const user = await services().newUser()
    const urls = Array.from({ length: 401 }, (_, n) => ({ link: `${TO}/${n}` }))
    await links().createMany(user, urls, [])
    const [header = '', ...rows] = (await text(await transfer().export(user, {}))).trimEnd().split('\r\n')
    expect(header.split(',')).toContain('link')
    const at = header.split(',').indexOf('link')
    expect(rows.map((row) => row.split(',')[at])).toEqual(urls.map(({ link }) => link).reverse())
  })

  it('exports what a search and a tag leave, and only the names of columns of nothing', async () => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    await links().create(user, { link: `${TO}/one`, tag: 'x' })
    await links().create(user, { link: `${TO}/two`, tag: 'x' })
    const lines = async (owner: string, filter: object) =>
      (await text(await transfer().export(owner, filter))).trimEnd().split('\r\n').length - 1
    expect(await lines(user, { tag: 'x' })).toBe(2)
    expect(await lines(user, { search: 'two', tag: 'x' })).toBe(1)
    expect(await lines(other, {})).toBe(0)
  })

  it('imports what was exported', async () => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    await links().create(user, { link: TO, description: 'a "quoted", text\nof two lines', tag: 'é' })
    const made = await importing(other, await text(await transfer().export(user, {})))
    expect(made).toMatchObject([{ link: TO, description: 'a "quoted", text\nof two lines', tag: 'é' }])
  })

  it('imports all or none, and names the row of what is wrong', async () => {
    const user = await services().newUser()
    const taken = await links().create(user, {
      link: TO,
      customLink: `taken-${Math.random()}`.replace('.', ''),
    })
    const rows = `link,customLink\n${TO},\n${TO},${taken.code}\n`
    await expect(importing(user, rows)).rejects.toMatchObject({
      code: 'code_taken',
      errors: { file: [expect.stringMatching(/3.*This short code is taken/)] },
    })
    await expect(importing(user, 'link\nnot a link\n')).rejects.toMatchObject({
      code: 'validation',
      errors: { file: [expect.any(String)] },
    })
    expect(await services().countRows('links', user)).toBe(1)
  })
})
