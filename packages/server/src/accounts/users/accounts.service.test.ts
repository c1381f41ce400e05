import { expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { RetainedAccess } from '../access.ts'
import { AccountService } from './accounts.service.ts'
import { createInvoiceStore } from './invoices.store.ts'
import { InvoiceService } from './invoices.service.ts'
import { isPassword } from './passwords.ts'
import { parsePlans } from './plans.ts'

const PASSWORD = 'Correct-horse-1'
const START = Date.parse('2026-01-31T12:00:00Z')

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = () => {
    const { core, modules } = services()
    const { db, blobs, limits, secrets, newId } = core
    const { users, workspaces } = modules.accounts
    const clock = { ms: START }
    const now = (): number => clock.ms
    const ended: RetainedAccess[] = []
    const notices: unknown[] = []
    const plans = parsePlans({ free: { limits: { links: 3 } }, gold: { price: 900, interval: 'year' } })
    const invoices = new InvoiceService({
      db,
      store: createInvoiceStore(db),
      workspaces,
      plans,
      seller: { name: 'Seller', address: null, taxId: null },
      secrets,
      baseUrl: 'https://way.example',
      invoicePath: '/invoice',
      now,
      newId,
    })
    const accounts = new AccountService({
      db,
      users,
      workspaces,
      invoices,
      plans,
      blobs,
      limits,
      mediaUrl: (hash) => `/m/${hash}`,
      mail: { enabled: true, notify: (to, { kind }) => void notices.push([to, kind]) },
      endAccess: async (_userUuid, kept) => void ended.push(kept),
      now,
      newId,
    })
    const create = (confirmed?: boolean) =>
      accounts.create({ email: `${crypto.randomUUID()}@example.com`, password: PASSWORD }, confirmed)
    return { accounts, blobs, clock, create, ended, invoices, notices, users, workspaces }
  }

  it('creates one account per email address, with its first invoice', async () => {
    const { accounts, create, invoices, workspaces } = setUp()
    const user = await create()
    expect(user).toMatchObject({ confirmed_at: null, created_at: START })
    expect(await workspaces.find(user.uuid)).toMatchObject({ plan: 'free', created_at: START })
    expect((await workspaces.oldestOwner(user.uuid))?.uuid).toBe(user.uuid)
    expect((await invoices.list(user.uuid, {})).total).toBe(1)
    const again = { email: user.email, password: PASSWORD }
    await expect(accounts.create(again)).rejects.toMatchObject({ code: 'email_taken' })
    const twins = { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD }
    const outcomes = await Promise.allSettled([accounts.create(twins), accounts.create(twins)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('requires a confirmed address, which an operator can confirm', async () => {
    const { accounts, create } = setUp()
    const { uuid } = await create()
    await expect(accounts.requireConfirmed(uuid)).rejects.toMatchObject({ code: 'email_unconfirmed' })
    await accounts.confirm(uuid)
    await accounts.requireConfirmed(uuid)
    await accounts.requireConfirmed((await create(true)).uuid)
  })

  it('edits the given fields, and replaces the picture with its file', async () => {
    const { accounts, blobs, create } = setUp()
    const { uuid, email } = await create()
    const picture = await blobs.stage(Buffer.from(crypto.randomUUID()))
    await accounts.edit(uuid, { first_name: 'Ada', phone: '1' }, picture)
    const edited = await accounts.edit(uuid, { last_name: 'L', phone: null }, undefined)
    expect(edited).toEqual({
      email,
      first_name: 'Ada',
      last_name: 'L',
      phone: null,
      address: null,
      image: `/m/${picture.hash}`,
    })
    expect(await accounts.get(uuid)).toEqual(edited)
    expect(await accounts.edit(uuid, { profile: null }, undefined)).toMatchObject({ image: null })
    await blobs.settled()
    expect(await blobs.get(picture.hash)).toBe(undefined)
  })

  it('changes the password with the current one, ends other sessions and notifies the owner', async () => {
    const { accounts, create, ended, notices, users } = setUp()
    const { uuid } = await create()
    const next = 'Another-horse-2'
    const change = { old_password: 'Wrong-horse-1', password: next, confirm_password: next }
    await expect(accounts.preparePassword(uuid, change)).rejects.toMatchObject({
      errors: { old_password: ['This is not the current password'] },
    })
    const prepare = () => accounts.preparePassword(uuid, { ...change, old_password: PASSWORD })
    const [first, second] = [await prepare(), await prepare()]
    const kept = { session: 'this session', keys: true }
    await accounts.changePassword(first, kept)
    // Someone else who knew the old password was slower.
    await expect(accounts.changePassword(second, kept)).rejects.toMatchObject({
      errors: { old_password: ['This is not the current password'] },
    })
    expect(ended).toEqual([kept])
    expect(notices).toEqual([[{ userUuid: uuid }, 'password_changed']])
    expect(await isPassword(next, (await users.find(uuid))?.password_hash)).toBe(true)
  })

  it('starts a new period with a new plan', async () => {
    const { accounts, clock, create, invoices } = setUp()
    const { uuid } = await create()
    expect(await accounts.currentPlan({ workspaceUuid: uuid, userUuid: uuid })).toMatchObject({
      name: 'free',
      renews_at: '2026-02-28T12:00:00.000Z',
      limits: { links: 3, workspaces: 5 },
      usage: { links: 0, workspaces: 1 },
    })
    clock.ms = Date.parse('2026-02-10T00:00:00Z')
    await accounts.setPlan(uuid, 'gold')
    expect(await accounts.currentPlan({ workspaceUuid: uuid, userUuid: uuid })).toMatchObject({
      name: 'gold',
      started_at: '2026-02-10T00:00:00.000Z',
      renews_at: '2027-02-10T00:00:00.000Z',
    })
    const totals = (await invoices.list(uuid, {})).items.map(({ total }) => total)
    expect(totals.sort((a, b) => a - b)).toEqual([0, 900])
    await expect(accounts.setPlan(uuid, 'silver')).rejects.toMatchObject({ status: 422 })
    await expect(accounts.setPlan(crypto.randomUUID(), 'gold')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('stores feedback with its picture', async () => {
    const { accounts, blobs, create } = setUp()
    const { uuid } = await create()
    const picture = await blobs.stage(Buffer.from(crypto.randomUUID()))
    expect(await accounts.addFeedback(uuid, 'It works', picture)).toMatchObject({
      feedback: 'It works',
      image: `/m/${picture.hash}`,
      created_at: '2026-01-31T12:00:00.000Z',
    })
    expect(await accounts.addFeedback(uuid, 'Still', undefined)).toMatchObject({ image: null })
    expect(await blobs.has(picture.hash)).toBe(true)
  })
})
