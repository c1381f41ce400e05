import { beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { get } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import { call } from '../support/visitors.ts'
import type { Account, Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 1, megabytes: 400 }

const ASKERS = 60

/** The signed address of an account's newest invoice, as path and query. */
const pdfOf = async (waymark: Waymark, account: Account): Promise<string> => {
  const { body } = await get(waymark, account, '/v1/download-invoice')
  const { pathname, search } = new URL(body.data.pdf_url as string)
  return pathname + search
}

onStack('embedded', (waymark) => {
  let bystander: Bystander
  let hostile: string
  let wanted: string
  beforeAll(async () => {
    bystander = await newBystander(waymark())
    hostile = await pdfOf(waymark(), await waymark().account())
    wanted = await pdfOf(waymark(), bystander.account)
  })

  it('sixty requests for one invoice delay no other invoice', async () => {
    const answers = await whileAttacked(waymark(), 'one invoice', bystander, COST, async () => {
      const attack = Promise.all(Array.from({ length: ASKERS }, () => call(waymark(), 'GET', hostile)))
      const { status } = await call(waymark(), 'GET', wanted, { from: '127.0.0.98' })
      expect(status).toBe(200)
      return attack
    })
    // It is rendered once for all who ask at the same time.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
