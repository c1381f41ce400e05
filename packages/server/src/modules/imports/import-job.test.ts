import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { actingFor } from '../../net/admission/gate.ts'
import { testServices } from '../testing.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { testImports, TO, unique } from './imports.testing.ts'

const plansFile = join(mkdtempSync(join(tmpdir(), 'waymark-plans-')), 'plans.json')
writeFileSync(plansFile, JSON.stringify({ free: {}, small: { limits: { links: 150 } } }))

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases, { PLANS_FILE: plansFile })
  const { imports, links, upload, rowOf, runToEnd, codesOf } = testImports(services)

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

  it('continues where it was, creates no link twice, and stops for an undo', async () => {
    const user = await services().newUser()
    const codes = Array.from({ length: 400 }, () => unique())
    const file = `link,customLink\n${codes.map((code) => `${TO},${code}`).join('\n')}\n`
    const { import: started } = await actingFor({ user }, () => upload(user, file, { background: true }))
    const row = await rowOf(started.uuid)
    // Two processes that both believe they own the import, as after an expired lease.
    await Promise.all([imports().runner.runSlice(row), imports().runner.runSlice(row)])
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'done', created: 400 })
    expect(await codesOf(user)).toEqual(codes.toSorted())
    expect((await links().list(user, { limit: 1 })).items[0]?.created_by).toBe(user)
    await imports().service.undo(user, started.uuid)
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'undone' })
    expect(await codesOf(user)).toEqual([])
    const totals = await links().list(user, {})
    expect(totals.total).toBe(0)
  })

  it('waits while the disk is nearly full, and can be undone meanwhile', async () => {
    const user = await services().newUser()
    const { import: started } = await upload(user, `link\n${`${TO}\n`.repeat(40)}`, { background: true })
    const { disk } = services().core
    const full = vi.spyOn(disk, 'hasRoomForRows').mockReturnValue(false)
    expect(await imports().runner.runSlice(await rowOf(started.uuid))).toBe('waits')
    expect(await rowOf(started.uuid)).toMatchObject({ state: 'running', created: 0 })
    full.mockRestore()
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'done', created: 40 })
    vi.spyOn(disk, 'hasRoomForRows').mockReturnValue(false)
    await imports().service.undo(user, started.uuid)
    expect(await runToEnd(user, started.uuid)).toMatchObject({ state: 'undone' })
    vi.restoreAllMocks()
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

  it('removes everything of an import that reaches the quota', async () => {
    const user = await insertTestUser(services().core.db, {}, { plan: 'small' })
    const file = `link\n${`${TO}\n`.repeat(200)}`
    const { import: started } = await upload(user, file, { background: true })
    expect(await runToEnd(user, started.uuid)).toMatchObject({
      state: 'failed',
      created: 0,
      error: 'Your plan allows 150 links; remove some or choose a larger plan',
    })
    expect(await codesOf(user)).toEqual([])
  })
})
