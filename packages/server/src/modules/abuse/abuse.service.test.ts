import { expect, it } from 'vitest'
import type { Mail } from '../../net/mail.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { AbuseService } from './abuse.service.ts'
import { createBlockStore } from './blocks.store.ts'

const MISSING = '00000000-0000-7000-8000-000000000001'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const seen = { mails: [] as Mail[], changes: 0 }
    const store = createBlockStore(core.db)
    const { users, workspaces } = modules.accounts
    const abuse = new AbuseService({
      db: core.db,
      store,
      workspaces,
      mailer: { enabled: true, send: async (mail) => void seen.mails.push(mail), close: () => {} },
      contact: 'abuse@way.example',
      blocksChanged: () => void seen.changes++,
      now: () => 1_000,
    })
    const user = await users.find(await newUser())
    if (user === undefined) throw new Error('not inserted')
    return { abuse, store, user, seen }
  }

  it('blocks a link, and mails the reason to its owner', async () => {
    const { abuse, store, user, seen } = await setUp()
    const link = { uuid: crypto.randomUUID(), workspace_uuid: user.uuid, short_url: 'https://way.example/x' }
    const before = await store.version()
    await abuse.blockLink(link, 'Phishing')
    await abuse.notifyOfBlock(link, 'Phishing')
    expect(await store.listAll()).toContainEqual({
      subject: link.uuid,
      kind: 'link',
      reason: 'Phishing',
      created_at: 1_000,
    })
    expect(await store.version()).toBeGreaterThan(before)
    expect(seen.changes).toBe(1)
    expect(seen.mails).toMatchObject([{ to: user.email, subject: 'Your short link was blocked' }])
    for (const part of [link.short_url, 'Reason: Phishing', 'abuse@way.example'])
      expect(seen.mails[0]?.text).toContain(part)
    await abuse.unblockLink(link)
    expect((await store.listAll()).filter(({ subject }) => subject === link.uuid)).toEqual([])
    await expect(abuse.unblockLink(link)).rejects.toMatchObject({ code: 'not_found' })
    expect(seen.changes).toBe(2)
  })

  it('stores one block per host, with the last reason', async () => {
    const { abuse } = await setUp()
    expect(await abuse.blockHost('HTTPS://Bad.Example/page', 'first')).toBe('bad.example')
    await abuse.blockHost('bad.example', 'last')
    await abuse.blockHost('.worse.example', null)
    expect(await abuse.listHosts()).toMatchObject([
      { subject: '.worse.example', kind: 'host', reason: null },
      { subject: 'bad.example', kind: 'host', reason: 'last' },
    ])
    await expect(abuse.unblockHost('worse.example')).rejects.toMatchObject({ code: 'not_found' })
    for (const host of ['.worse.example', 'bad.example']) expect(await abuse.unblockHost(host)).toBe(host)
    expect(await abuse.listHosts()).toEqual([])
  })

  it.each(['', '.', 'not a host'])('rejects %j as a host', async (host) => {
    const { abuse } = await setUp()
    await expect(abuse.blockHost(host, null)).rejects.toMatchObject({ status: 422 })
  })

  it('suspends and resumes an account without affecting others', async () => {
    const { abuse, store, user, seen } = await setUp()
    await abuse.suspend(user.uuid, null)
    await abuse.notifyOfSuspension(user, 'account', null)
    expect(await store.listAll()).toContainEqual(
      expect.objectContaining({ subject: user.uuid, kind: 'user', reason: null }),
    )
    expect(seen.mails.map(({ subject, text }) => [subject, text.includes('Reason')])).toEqual([
      ['Your account was suspended', false],
    ])
    await expect(abuse.resume(MISSING, user.email)).rejects.toMatchObject({ code: 'not_found' })
    await abuse.resume(user.uuid, user.email)
    await expect(abuse.resume(user.uuid, user.email)).rejects.toMatchObject({
      message: `${user.email} is not suspended`,
    })
  })
})
