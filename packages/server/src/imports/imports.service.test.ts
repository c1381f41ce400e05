import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { UploadedFile } from '@waymark/contract'
import { expect, it } from 'vitest'
import { forEachDatabase } from '../storage/db/testing.ts'
import { LinkExport } from '../modules/links/link-export.service.ts'
import { createLinkStore } from '../modules/links/links.store.ts'
import { testServices } from '../modules/testing.ts'
import { admission } from '../runtime/admission/lanes.ts'
import type { ImportRow } from './imports.store.ts'

const TO = 'https://example.com/there'
const unique = (): string => crypto.randomUUID().slice(0, 13)

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const imports = () => services().modules.imports
  const links = () => services().modules.links.service
  const prepare = async (user: string, content: string, options: object = {}) => {
    const path = join(services().dataDir, `${crypto.randomUUID()}.csv`)
    await writeFile(path, content)
    const file = new UploadedFile({ path, size: Buffer.byteLength(content), filename: 'links.csv' })
    return imports().service.prepare(user, { file, ...options })
  }
  const upload = async (user: string, content: string, options: object = {}) =>
    imports().service.create(user, await prepare(user, content, options))
  const rowOf = (uuid: string): Promise<ImportRow> =>
    services()
      .core.db.sql.selectFrom('imports')
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
  const imported = async (user: string, uuid: string) =>
    (await imports().service.list(user, { uuid })).items[0]
  /** Gives an import turns until it has ended. */
  const runToEnd = async (user: string, uuid: string) => {
    for (let turns = 0; turns < 100; turns++) {
      const row = await rowOf(uuid)
      if (row.state !== 'running' && row.state !== 'undoing') return imported(user, uuid)
      await imports().runner.runSlice(row)
    }
    throw new Error('The import does not end')
  }
  const codesOf = async (user: string): Promise<string[]> => {
    const rows = await services()
      .core.db.sql.selectFrom('links')
      .select('short_code')
      .where('user_uuid', '=', user)
      .orderBy('short_code')
      .execute()
    return rows.map(({ short_code }) => short_code)
  }

  it('creates small files at once, all or none, and can undo them', async () => {
    const user = await services().newUser()
    const [one, two] = [unique(), unique()]
    const made = await upload(user, `link,customLink\n${TO},${one}\n${TO},${two}\n`)
    expect(made.links.map(({ code }) => code)).toEqual([one, two])
    expect(made.import).toMatchObject({ state: 'done', total: 2, created: 2, source: 'generic' })
    await expect(upload(user, `link,customLink\n${TO},${unique()}\n${TO},${one}\n`)).rejects.toMatchObject({
      code: 'code_taken',
      errors: { file: ['Line 3, customLink: This short code is taken'] },
    })
    await expect(upload(user, `link\n${TO}\nnot a link\n`)).rejects.toMatchObject({
      code: 'validation',
      errors: { file: ['Line 3, link: Must be a valid http or https URL'] },
    })
    expect(await services().countRows('links', user)).toBe(2)
    await imports().service.undo(user, made.import.uuid)
    expect(await runToEnd(user, made.import.uuid)).toMatchObject({ state: 'undone', created: 0 })
    expect(await services().countRows('links', user)).toBe(0)
    // Nobody has seen these short codes: the corrected file can have them.
    expect((await upload(user, `link,customLink\n${TO},${one}\n`)).links).toHaveLength(1)
  })

  it('keeps short code, creation date and password protection, and puts old links in their place', async () => {
    const user = await services().newUser()
    const code = unique()
    await upload(
      user,
      `link,code,created_at,has_password,short_url\n${TO},${code},2019-05-06T07:08:09.010Z,true,x\n`,
    )
    const newer = await links().create(user, { link: TO })
    const row = await services()
      .core.db.sql.selectFrom('links')
      .selectAll()
      .where('short_code', '=', code)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ custom: 0, created_at: Date.parse('2019-05-06T07:08:09.010Z') })
    expect(row.password_hash).toMatch(/^\$argon2id/)
    expect(row.uuid < newer.uuid).toBe(true)
  })

  it('previews without creating anything, then runs in the background', async () => {
    const user = await services().newUser()
    const taken = (await links().create(user, { link: TO, customLink: unique() })).code
    const code = unique()
    const file = `link,customLink,colour,title\n${TO},${code},red,One\n${TO},${taken},,\nnonsense,,,\n`
    const { import: preview } = await upload(user, file, { preview: true, on_taken: 'skip' })
    expect(preview).toMatchObject({
      state: 'ready',
      total: 3,
      importable: 2,
      created: 0,
      columns: [
        { column: 'link', field: 'link' },
        { column: 'customLink', field: 'customLink' },
        { column: 'colour', field: null },
        { column: 'title', field: 'title' },
      ],
      rows: [
        { line: 2, link: TO, short_code: code, title: 'One' },
        { line: 3, short_code: taken },
      ],
      problems: [
        { line: 3, column: 'customLink', message: 'This short code is taken', skipped: true },
        { line: 4, column: 'link', message: 'Must be a valid http or https URL', skipped: true },
      ],
    })
    expect(await services().countRows('links', user)).toBe(1)
    expect(await imports().service.run(user, { uuid: preview.uuid })).toMatchObject({ state: 'running' })
    expect(await runToEnd(user, preview.uuid)).toMatchObject({
      state: 'done',
      created: 1,
      skipped: 1,
      processed: 2,
    })
    expect(await codesOf(user)).toEqual([code, taken].toSorted())
    await expect(imports().service.run(user, { uuid: preview.uuid })).rejects.toMatchObject({
      code: 'import_state',
    })
  })

  it.each([
    ['skip', { state: 'done', created: 1, skipped: 2, renamed: 0 }],
    ['rename', { state: 'done', created: 3, skipped: 0, renamed: 2 }],
    ['fail', { state: 'failed', created: 0, error: '2 short code(s) are taken; nothing was imported' }],
  ])('where a short code is taken: %s', async (on_taken, expected) => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    const taken = (await links().create(other, { link: TO, customLink: unique() })).code
    const code = unique()
    const file = `link,customLink\n${TO},${taken}\n${TO},${code}\n${TO},${code}\n`
    const { import: started } = await upload(user, file, { background: true, on_taken })
    expect(await runToEnd(user, started.uuid)).toMatchObject(expected)
    expect(await services().countRows('links', user)).toBe(expected.created)
  })

  it('goes on where it was, creates no link twice, and stops for an undo', async () => {
    const user = await services().newUser()
    const codes = Array.from({ length: 400 }, () => unique())
    const file = `link,customLink\n${codes.map((code) => `${TO},${code}`).join('\n')}\n`
    const { import: started } = await upload(user, file, { background: true })
    const row = await rowOf(started.uuid)
    // Two processes that believe the import is theirs, as after a lease that ran out.
    await Promise.all([imports().runner.runSlice(row), imports().runner.runSlice(row)])
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'done', created: 400 })
    expect(await codesOf(user)).toEqual(codes.toSorted())
    await imports().service.undo(user, started.uuid)
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'undone' })
    expect(await codesOf(user)).toEqual([])
    const totals = await links().list(user, {})
    expect(totals.total).toBe(0)
  })

  it('keeps the short code of a clicked link reserved after an undo', async () => {
    const user = await services().newUser()
    const code = unique()
    const { import: made, links: created } = await upload(user, `link,customLink\n${TO},${code}\n`)
    await services().core.db.write(() =>
      services()
        .core.db.sql.updateTable('links')
        .set({ clicks: 1 })
        .where('uuid', '=', created[0]?.uuid ?? '')
        .execute(),
    )
    await imports().service.undo(user, made.uuid)
    await runToEnd(user, made.uuid)
    await expect(upload(user, `link,customLink\n${TO},${code}\n`)).rejects.toMatchObject({
      code: 'code_taken',
    })
  })

  it('puts links of other hosts under the chosen domain, and its own unknown domains nowhere', async () => {
    const user = await services().newUser()
    const code = unique()
    const bitly = `Link,Long URL\nhttps://bit.ly/${code},${TO}\n`
    expect((await upload(user, bitly)).links).toMatchObject([{ code, domain: 'way.example' }])
    const own = `link,domain\n${TO},nowhere.example\n`
    await expect(upload(user, own)).rejects.toMatchObject({
      errors: { file: ['Line 2, domain: Must be the name of an existing domain'] },
    })
    expect((await upload(user, own, { domain: 'way.example' })).links).toMatchObject([
      { domain: 'way.example' },
    ])
    await expect(upload(user, own, { domain: 'nowhere.example' })).rejects.toMatchObject({
      errors: { domain: [expect.any(String)] },
    })
  })

  it('holds three imports of an account, and erases everything with it', async () => {
    const user = await services().newUser()
    for (let n = 0; n < 3; n++) await upload(user, `link,password\n${TO},secret\n`, { preview: true })
    await expect(upload(user, `link\n${TO}\n`, { preview: true })).rejects.toMatchObject({
      code: 'too_many_imports',
    })
    const { db } = services().core
    const erase = imports().erase
    if (erase === undefined) throw new Error('Imports must be erased with their account')
    while (await db.write(() => erase(user))) await delay(0)
    expect((await imports().service.list(user, {})).items).toEqual([])
    expect(await services().countRows('blob_refs', user)).toBe(0)
  })

  it('hashes passwords before the transaction, and only where nothing else is wrong', async () => {
    const user = await services().newUser()
    const { plan } = await prepare(user, `link,password\n${TO},one\n${TO},\n`)
    expect(plan?.links.map(({ passwordHash }) => passwordHash)).toEqual([
      expect.stringMatching(/^\$argon2id/),
      null,
    ])
    const { code } = await links().create(user, { link: TO, customLink: unique() })
    // Nothing can be hashed now: what waits for it would be rejected as too much.
    const leave = ['one', 'two'].map((account) => admission.tryEnter('hashing', { party: { account } }))
    const refused = prepare(user, `link,password,customLink\n${TO},secret,\n${TO},,${code}\n`)
    await expect(refused).rejects.toMatchObject({ code: 'code_taken' })
    for (const each of leave) each?.()
  })

  it('stores no password in clear while an import waits', async () => {
    const user = await services().newUser()
    const { import: waiting } = await upload(user, `link,password\n${TO},opensesame\n`, { preview: true })
    const { file_hash } = await rowOf(waiting.uuid)
    const bytes = await services().core.blobs.get(file_hash ?? '')
    expect(Buffer.from(bytes ?? []).toString()).not.toContain('opensesame')
    await imports().service.run(user, { uuid: waiting.uuid })
    await runToEnd(user, waiting.uuid)
    const [link] = await services()
      .core.db.sql.selectFrom('links')
      .select('password_hash')
      .where('user_uuid', '=', user)
      .execute()
    expect(link?.password_hash).toMatch(/^\$argon2id/)
  })

  it('keeps a thousand earlier short codes of a link, and names how many are left out', async () => {
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
    await imports().service.run(user, { uuid: preview.uuid })
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

  it('lets the custom back-halves of a Bitly link lead to it, on whatever host they were', async () => {
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
