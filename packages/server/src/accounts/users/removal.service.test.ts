import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const user = await newUser()
    const { code } = await modules.links.service.create(user, { link: TO })
    await modules.keys.service.create({ workspaceUuid: user, userUuid: user }, { name: 'a key' })
    await modules.sessions.service.begin(user, 'A browser')
    const file = await core.blobs.stage(Buffer.from(crypto.randomUUID()))
    await modules.accounts.service.addFeedback(user, 'It works', file)
    const rowsIn = (table: 'feedback' | 'sessions') =>
      core.db.sql.selectFrom(table).selectAll().where('user_uuid', '=', user).execute()
    const erasures = () =>
      core.db.sql.selectFrom('erasures').selectAll().where('workspace_uuid', '=', user).execute()
    return { core, modules, user, code, file, rowsIn, erasures }
  }

  it('closes only this account, immediately', async () => {
    const { modules, user, rowsIn, erasures } = await setUp()
    const other = await services().newUser()
    await modules.accounts.removal.remove(user, 'Enough')
    expect(await modules.accounts.users.find(user)).toBe(undefined)
    expect(await services().countRows('api_keys', user)).toBe(0)
    expect([await rowsIn('sessions'), await erasures()]).toMatchObject([[], [{ workspace_uuid: user }]])
    expect(await services().countRows('links', user)).toBe(1)
    expect(await modules.accounts.users.find(other)).toMatchObject({ uuid: other })
  })

  it('revokes what the command line created for the user in workspaces of others', async () => {
    const { modules, user } = await setUp()
    const workspaceUuid = await services().newUser()
    const { service: keys, tokens } = modules.keys
    const [{ api_key }, { token }] = [
      await keys.create({ workspaceUuid, userUuid: user }, {}, true),
      await tokens.create({ workspaceUuid, userUuid: user }, {}, true),
    ]
    const found = () => Promise.all([keys.findUsable(api_key), tokens.findUsable(token)])
    expect(await found()).toMatchObject([{ byOperator: true }, { byOperator: true }])
    await modules.accounts.removal.remove(user, 'Enough')
    expect(await found()).toEqual([undefined, undefined])
  })

  it('closes a workspace that the user is creating as well', async () => {
    const { core, modules, user } = await setUp()
    const [created, finished] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
    const creation = core.db.write(async () => {
      created.resolve((await modules.accounts.workspaceService.create(user, 'Second')).uuid)
      await finished.promise
    })
    const second = await created.promise
    const removal = modules.accounts.removal.remove(user, 'Enough')
    // Long enough for a removal that does not wait.
    await setTimeout(200)
    finished.resolve()
    await Promise.all([creation, removal])
    expect(await modules.accounts.workspaces.find(second)).toBe(undefined)
    await expect(modules.accounts.workspaceService.create(user, 'Third')).rejects.toMatchObject({
      code: 'key_invalid',
    })
  })

  it('erases rows and files after an interruption, and leaves tombstones', async () => {
    const { core, modules, user, code, file, rowsIn, erasures } = await setUp()
    const { removal } = modules.accounts
    await removal.remove(user, 'Enough')
    await removal.erase(user, AbortSignal.abort())
    expect(await erasures()).toHaveLength(1)
    await removal.resume()
    for (const table of ['links', 'blob_refs'] as const)
      expect([table, await services().countRows(table, user)]).toEqual([table, 0])
    expect([await rowsIn('feedback'), await erasures()]).toEqual([[], []])
    expect(
      await core.db.sql.selectFrom('users').select('uuid').where('uuid', '=', user).executeTakeFirst(),
    ).toBe(undefined)
    expect(await core.blobs.get(file.hash)).toBe(undefined)
    expect([
      await core.tombstones.has(['code', '', code]),
      await core.tombstones.has(['media', file.hash]),
    ]).toEqual([true, true])
  })
})
