import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { signedIn, testServices } from '../testing.ts'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { RIGHT_ENDED } from '../../work/jobs/batch-jobs.ts'
import { createImportStore } from './imports.store.ts'
import { testImports, TO, unique } from './imports.testing.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const { imports, links, prepare, upload, rowOf, runToEnd, codesOf } = testImports(services)

  it('imports small files immediately, all or nothing, and can undo them', async () => {
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

  it('keeps the name of a file without control characters', async () => {
    const filename = 'links\u001b[2J\u2028.csv'
    const made = await upload(await services().newUser(), `link\n${TO}\n`, {}, filename)
    expect(made.import.filename).toBe('links[2J.csv')
  })

  it('keeps short code, creation date and password protection, and sorts links by creation date', async () => {
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
    expect(await imports().service.run(signedIn(user), { uuid: preview.uuid })).toMatchObject({
      state: 'running',
    })
    expect(await runToEnd(user, preview.uuid)).toMatchObject({
      state: 'done',
      created: 1,
      skipped: 1,
      processed: 2,
    })
    expect(await codesOf(user)).toEqual([code, taken].toSorted())
    await expect(imports().service.run(signedIn(user), { uuid: preview.uuid })).rejects.toMatchObject({
      code: 'import_state',
    })
  })

  it('puts links of other hosts under the chosen domain, and rejects unknown domains of Waymark exports', async () => {
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

  it('ends, and removes its links, when its creator is no longer a member', async () => {
    const { core, modules, newUser } = services()
    const [user, member] = [await newUser(), await newUser()]
    const row = { workspace_uuid: user, user_uuid: member, role: 'editor' as const, created_at: 1 }
    await core.db.write(() => modules.accounts.workspaces.insertMember(row))
    const caller = { ...signedIn(member), workspaceUuid: user }
    const { import: preview } = await upload(user, `link\n${TO}\n`, { preview: true })
    await imports().service.run(caller, { uuid: preview.uuid })
    await modules.accounts.workspaceService.removeMember(signedIn(user), { uuid: member })
    expect(await runToEnd(user, preview.uuid)).toMatchObject({ state: 'failed', error: RIGHT_ENDED })
    expect(await codesOf(user)).toEqual([])
  })

  it('keeps only the last preview of an account', async () => {
    const user = await services().newUser()
    const uuids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { import: preview } = await upload(user, `link\n${TO}\n`, { preview: true })
      uuids.push(preview.uuid)
    }
    const { items } = await imports().service.list(user, {})
    expect(items.map(({ uuid, state }) => [uuid, state])).toEqual([[uuids.at(-1), 'ready']])
    expect(await services().countRows('blob_refs', user)).toBe(1)
    await expect(imports().service.run(signedIn(user), { uuid: uuids[0] ?? '' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await imports().service.run(signedIn(user), { uuid: uuids.at(-1) ?? '' })
    // A running import stays.
    await upload(user, `link\n${TO}\n`, { preview: true })
    expect((await imports().service.list(user, {})).total).toBe(2)
  })

  it('counts new, taken and invalid links in a preview, anywhere in the file', async () => {
    const user = await services().newUser()
    const taken = (await links().create(user, { link: TO, customLink: unique() })).code
    const [twice, free] = [unique(), unique()]
    const others = Array.from({ length: 150 }, () => `${TO},${unique()},`)
    const file = [
      'link,customLink,domain',
      `${TO},${twice},`,
      `${TO},${taken},`,
      ...others,
      `${TO},${twice},`,
      `${TO},${free},nowhere.example`,
      `nonsense,,`,
    ].join('\n')
    const { import: preview } = await upload(user, file, { preview: true })
    expect(preview).toMatchObject({ total: 155, importable: 153, taken: 2, problem_count: 4 })
    expect(preview.problems.map(({ line, message }) => [line, message])).toEqual([
      [3, 'This short code is taken'],
      [154, 'This short code is taken'],
      [155, 'Must be the name of an existing domain'],
      [156, 'Must be a valid http or https URL'],
    ])
    await imports().service.run(signedIn(user), { uuid: preview.uuid, on_taken: 'skip' })
    const done = await runToEnd(user, preview.uuid)
    expect(done).toMatchObject({ state: 'done', created: 151, skipped: 3 })
    // Problems of the preview are not listed twice.
    expect(done?.problems.map(({ line }) => line)).toEqual([3, 154, 155, 156])
  })

  it('can be run again with another choice after a failure, without another upload', async () => {
    const user = await services().newUser()
    const taken = (await links().create(user, { link: TO, customLink: unique() })).code
    const file = `link,customLink\n${TO},${unique()}\n${TO},${taken}\nnonsense,\n`
    const { import: preview } = await upload(user, file, { preview: true })
    const { uuid } = preview
    await imports().service.run(signedIn(user), { uuid, on_taken: 'fail' })
    const failed = await runToEnd(user, uuid)
    expect(failed).toMatchObject({ state: 'failed', created: 0, taken: 1, problem_count: 2 })
    expect(failed?.runnable_until).toEqual(expect.any(String))
    await imports().service.run(signedIn(user), { uuid, on_taken: 'rename' })
    expect(await runToEnd(user, uuid)).toMatchObject({
      state: 'done',
      created: 2,
      renamed: 1,
      error: null,
      problem_count: 2,
      runnable_until: null,
    })
    expect(await services().countRows('blob_refs', user)).toBe(0)
  })

  it('keeps the file of the last failed import until the next preview, or for a day', async () => {
    const user = await services().newUser()
    const { code } = await links().create(user, { link: TO, customLink: unique() })
    const fail = async (): Promise<string> => {
      const { import: started } = await upload(user, `link,customLink\n${TO},${code}\n`, { background: true })
      expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'failed' })
      return started.uuid
    }
    const [first, second] = [await fail(), await fail()]
    expect([(await rowOf(first)).file_hash, (await rowOf(second)).file_hash]).toEqual([
      null,
      expect.any(String),
    ])
    await expect(imports().service.run(signedIn(user), { uuid: first })).rejects.toMatchObject({
      code: 'import_state',
    })
    await upload(user, `link\n${TO}\n`, { preview: true })
    expect((await rowOf(second)).file_hash).toBeNull()
    const third = await fail()
    expect(await services().countRows('blob_refs', user)).toBe(2)
    const { db } = services().core
    const updated_at = Date.now() - 25 * 3_600_000
    await db.write(() =>
      db.sql.updateTable('imports').set({ updated_at }).where('workspace_uuid', '=', user).execute(),
    )
    await expect(imports().service.run(signedIn(user), { uuid: third })).rejects.toMatchObject({
      code: 'import_state',
    })
    await imports().jobs?.[0]?.run(new AbortController().signal)
    expect(await services().countRows('blob_refs', user)).toBe(0)
    expect((await imports().service.list(user, {})).items.map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'failed'),
    )
  })

  it('runs three imports of an account at a time, and erases everything with it', async () => {
    const user = await services().newUser()
    const file = `link,password\n${TO},secret\n`
    for (let n = 0; n < 3; n++) await upload(user, file, { background: true })
    const tooMany = { code: 'too_many_imports' }
    await expect(upload(user, file, { background: true })).rejects.toMatchObject(tooMany)
    const { import: preview } = await upload(user, file, { preview: true })
    await expect(imports().service.run(signedIn(user), { uuid: preview.uuid })).rejects.toMatchObject(tooMany)
    const { db } = services().core
    const erase = imports().erase
    if (erase === undefined) throw new Error('Imports must be erased with their account')
    while (await db.write(() => erase(user))) await delay(0)
    expect((await imports().service.list(user, {})).items).toEqual([])
    expect(await services().countRows('blob_refs', user)).toBe(0)
  })

  it('hashes passwords before the transaction, and only if there are no errors', async () => {
    const user = await services().newUser()
    const { plan } = await prepare(user, `link,password\n${TO},one\n${TO},\n`)
    expect(plan?.links.map(({ passwordHash }) => passwordHash)).toEqual([
      expect.stringMatching(/^\$argon2id/),
      null,
    ])
    const { code } = await links().create(user, { link: TO, customLink: unique() })
    // No hashing is possible now: requests that need it would be rejected.
    const leave = ['one', 'two'].map((account) => admission.tryEnter('hashing', { requester: { account } }))
    const refused = prepare(user, `link,password,customLink\n${TO},secret,\n${TO},,${code}\n`)
    await expect(refused).rejects.toMatchObject({ code: 'code_taken' })
    for (const each of leave) each?.()
  })

  it('stores no password in clear text while an import waits', async () => {
    const user = await services().newUser()
    const { import: waiting } = await upload(user, `link,password\n${TO},opensesame\n`, { preview: true })
    const { file_hash } = await rowOf(waiting.uuid)
    const bytes = await services().core.blobs.get(file_hash ?? '')
    expect(Buffer.from(bytes ?? []).toString()).not.toContain('opensesame')
    await imports().service.run(signedIn(user), { uuid: waiting.uuid })
    await runToEnd(user, waiting.uuid)
    const [link] = await services()
      .core.db.sql.selectFrom('links')
      .select('password_hash')
      .where('workspace_uuid', '=', user)
      .execute()
    expect(link?.password_hash).toMatch(/^\$argon2id/)
  })

  it('rejects a table by its first row, while all threads that read files are busy', async () => {
    const user = await services().newUser()
    const accounts = Array.from({ length: laneRules.importReading.capacity }, (_, n) => `account ${n}`)
    const leave = accounts.map((account) => admission.tryEnter('importReading', { requester: { account } }))
    const rejected = (sentence: string) => ({ code: 'validation', errors: { file: [sentence] } })
    await expect(prepare(user, ','.repeat(1 << 20))).rejects.toMatchObject(
      rejected('Line 1: Must have at most 200 columns'),
    )
    await expect(prepare(user, `"${'a'.repeat(1 << 20)}`)).rejects.toMatchObject(
      rejected('Line 1: The first row must have at most 65536 characters'),
    )
    for (const each of leave) each?.()
  })

  it('gives accounts their turns, however many imports they run', async () => {
    const { db } = services().core
    const [many, single] = [await services().newUser(), await services().newUser()]
    const start = async (user: string, turn_at: number) => {
      const { uuid } = (await upload(user, `link\n${TO}\n`, { background: true })).import
      await db.write(() => db.sql.updateTable('imports').set({ turn_at }).where('uuid', '=', uuid).execute())
      return uuid
    }
    const uuids = [
      await start(many, -6),
      await start(many, -5),
      await start(many, -4),
      await start(single, -3),
    ]
    const store = createImportStore(db)
    const order: number[] = []
    for (let turn_at = -2; turn_at <= 1; turn_at++) {
      const row = await store.next()
      if (row === undefined) throw new Error('No import waits')
      order.push(uuids.indexOf(row.uuid))
      await db.write(() => store.update(row, { turn_at }))
    }
    expect(order).toEqual([0, 3, 1, 3])
    for (const uuid of uuids) await runToEnd(uuid === uuids[3] ? single : many, uuid)
  })

  it('reads a large file of few links', async () => {
    const user = await services().newUser()
    // Read in a thread, which returns less than it was given.
    const file = `link,customLink,filler\n${TO},${unique()},${'x'.repeat(200_000)}\n`
    expect((await upload(user, file)).import).toMatchObject({ state: 'done', created: 1 })
  })
})
