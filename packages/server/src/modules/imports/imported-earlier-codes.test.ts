import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { LinkExport } from '../links/link-export.service.ts'
import { createLinkStore } from '../links/links.store.ts'
import { signedIn, testServices } from '../testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testImports, TO, unique } from './imports.testing.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const { imports, links, upload, runToEnd } = testImports(services)

  it('keeps a thousand earlier short codes of a link, and reports how many are left out', async () => {
    const user = await services().newUser()
    const [code, earlier] = [unique(), unique()]
    const cell = Array.from({ length: 1_002 }, (_, n) => `${earlier}${n}`).join(' ')
    const file = `link,customLink,earlier_codes\n${TO},${unique()},\n${TO},${code},${cell}\n${TO},${unique()},\n`
    const { import: preview } = await upload(user, file, { preview: true })
    const problem = {
      line: 3,
      column: 'earlier_codes',
      message: 'A link keeps at most 1000 earlier short codes: 2 are left out',
      skipped: false,
    }
    expect(preview.problems).toEqual([problem])
    await imports().service.run(signedIn(user), { uuid: preview.uuid })
    expect(await runToEnd(user, preview.uuid)).toMatchObject({ created: 3, problems: [problem] })
    const { db } = services().core
    const [link] = (await links().list(user, { search: code })).items
    const names = await createLinkStore(db).shortCodesOf([link?.uuid ?? ''])
    expect(new Set(names.map(({ short_code }) => short_code))).toEqual(
      new Set([code, ...cell.split(' ').slice(0, 1_000)]),
    )
    // More short codes than a request creates at once.
    const heavy = (n: number) => `${TO},,${cell.replaceAll(earlier, `${earlier}${n}-`)}`
    const { import: large } = await upload(
      user,
      `link,customLink,earlier_codes\n${[1, 2, 3].map(heavy).join('\n')}\n`,
    )
    expect(large).toMatchObject({ state: 'running', total: 3 })
  })

  it('exports the earlier short codes of renamed links, and an import keeps those that are free', async () => {
    const [from, to] = [await services().newUser(), await services().newUser()]
    const [first, second, third] = [unique(), unique(), unique()]
    const { uuid } = await links().create(from, { link: TO, customLink: first })
    await links().edit(from, { uuid, link: TO, customLink: second })
    await links().edit(from, { uuid, link: TO, customLink: third })
    const { db } = services().core
    const store = createLinkStore(db)
    const csv = await text(await new LinkExport({ db, store, links: links() }).export(from, {}))
    const cells = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    expect([cells[0]?.at(-1), cells[1]?.at(-1)]).toEqual(['earlier_codes', [first, second].sort().join(' ')])

    const [a, b, c] = [unique(), unique(), unique()]
    const cell = `${a} ${second} app nowhere.example/${b} ${c}`
    const { import: done } = await upload(to, `link,customLink,earlier_codes\n${TO},${unique()},${cell}\n`)
    expect(done.problems.map(({ message, skipped }) => [message, skipped])).toEqual(
      ['app', `nowhere.example/${b}`, second].map((code) => [
        `The earlier short code ${code} cannot be used and is left out`,
        false,
      ]),
    )
    const [link] = (await links().list(to, {})).items
    const names = await store.shortCodesOf([link?.uuid ?? ''])
    expect(new Set(names.map(({ short_code }) => short_code))).toEqual(new Set([link?.code, a, c]))
    expect((await imports().service.list(to, { uuid: done.uuid })).items[0]?.columns.at(-1)).toEqual({
      column: 'earlier_codes',
      field: 'earlier_codes',
    })
  })

  it('imports the custom back-halves of a Bitly link, from any host', async () => {
    const user = await services().newUser()
    const [id, custom] = [unique(), unique()]
    const custom_bitlinks = [`https://bit.ly/${custom}`]
    const { import: done } = await upload(
      user,
      JSON.stringify([{ id: `bit.ly/${id}`, long_url: TO, custom_bitlinks }]),
    )
    const [link] = (await links().list(user, {})).items
    const names = await createLinkStore(services().core.db).shortCodesOf([link?.uuid ?? ''])
    expect(done.problems).toEqual([])
    expect(new Set(names.map(({ short_code }) => short_code))).toEqual(new Set([id, custom]))
  })
})
