import { describe, expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createSecrets } from '../../storage/secrets.ts'
import { DAY_MS } from '../../work/times.ts'
import { InvoiceService } from './invoices.service.ts'
import { createInvoiceStore } from './invoices.store.ts'
import { parsePlans } from './plans.ts'
import { createWorkspaceStore } from './workspaces.store.ts'

const START = Date.parse('2026-01-31T12:00:00Z')

forEachDatabase((_, open) => {
  const setUp = async () => {
    const db = await open()
    const clock = { ms: START }
    const workspaces = createWorkspaceStore(db)
    const store = createInvoiceStore(db)
    const invoices = new InvoiceService({
      db,
      store,
      workspaces,
      plans: parsePlans({ gold: { price: 1001, tax_rate: 7.5, currency: 'EUR' }, free: {} }),
      seller: { name: 'Seller', address: null, taxId: null },
      secrets: createSecrets('a secret for this test'),
      baseUrl: 'https://go.example.com',
      invoicePath: '/invoice',
      now: () => clock.ms,
      newId: () => crypto.randomUUID(),
    })
    const person = async (plan = 'gold') => {
      const uuid = await insertTestUser(db, {}, { plan, plan_started_at: clock.ms })
      const workspace = await workspaces.find(uuid)
      if (workspace === undefined) throw new Error('not inserted')
      return workspace
    }
    const numbers = async (uuid: string) => (await invoices.list(uuid, {})).items.map(({ number }) => number)
    return { db, clock, store, invoices, person, numbers }
  }

  describe('invoices', () => {
    it('are issued once for every period that has begun, in order', async () => {
      const { clock, invoices, person } = await setUp()
      const user = await person()
      clock.ms = Date.parse('2026-03-31T12:00:00Z')
      await Promise.all(Array.from({ length: 8 }, () => invoices.issueDue(user)))
      const { items, total } = await invoices.list(user.uuid, {})
      expect(total).toBe(3)
      expect(items.map(({ period_start }) => period_start.slice(0, 10)).sort()).toEqual([
        '2026-01-31',
        '2026-02-28',
        '2026-03-31',
      ])
      expect(items[0]).toMatchObject({ subtotal: 1001, tax: { rate: 7.5, amount: 75 }, total: 1076 })
    })

    it('are numbered without gaps, even with concurrent and failing requests', async () => {
      const { invoices, person, numbers } = await setUp()
      const people = await Promise.all(Array.from({ length: 10 }, () => person()))
      await Promise.all([...people, ...people, ...people].map((user) => invoices.issueDue(user)))
      const all = (await Promise.all(people.map(({ uuid }) => numbers(uuid)))).flat().sort()
      expect(all).toEqual(Array.from({ length: 10 }, (_, n) => `INV-${String(n + 1).padStart(6, '0')}`))
    })

    it('have a link to the PDF for a quarter of an hour', async () => {
      const { clock, invoices, person } = await setUp()
      const user = await person()
      const { pdf_url, number } = await invoices.get(user.uuid, undefined)
      const { searchParams } = new URL(pdf_url)
      const [expires, signature] = [searchParams.get('expires') ?? '', searchParams.get('signature') ?? '']
      clock.ms += DAY_MS / 96
      expect((await invoices.pdfByLink(number, expires, signature))?.subarray(0, 5).toString()).toBe('%PDF-')
      expect(await invoices.pdfByLink(number, `${expires}0`, signature)).toBe(undefined)
      clock.ms += 1
      expect(await invoices.pdfByLink(number, expires, signature)).toBe(undefined)
    })

    it('outlive their account; those without an amount lose personal data', async () => {
      const { db, store, invoices, person } = await setUp()
      for (const plan of ['gold', 'free']) {
        const { uuid } = await person(plan)
        const email = `${uuid}@example.com`
        const { number, total } = await invoices.get(uuid, undefined)
        await db.write(() => store.detach(uuid))
        expect(await store.findNewest(uuid)).toBe(undefined)
        const kept = await store.findAnyByNumber(number)
        expect([plan, total > 0, kept?.document.includes(email)]).toEqual([
          plan,
          plan === 'gold',
          plan === 'gold',
        ])
      }
    })
  })
})
