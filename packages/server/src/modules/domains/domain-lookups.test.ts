import { expect, it } from 'vitest'
import { actingFor } from '../../net/admission/gate.ts'
import { createAdmission, laneRules } from '../../net/admission/lanes.ts'
import { DomainLookups } from './domain-lookups.ts'

const { domainLookups } = laneRules

/** Acts for an account with its own address. */
const as = <T>(account: string, work: () => T): T => actingFor({ account, address: `${account}.test` }, work)

/** Look-ups; those of names that begin with `slow` end on command. */
const openLookups = () => {
  const asked: string[] = []
  const { promise: slow, resolve: end } = Promise.withResolvers<string[]>()
  const find = (name: string): Promise<string[]> => {
    asked.push(name)
    return name.includes('slow') ? slow : Promise.resolve([name])
  }
  const admission = createAdmission({ domainLookups })
  const sources = {
    dns: { txt: find, cname: find, addresses: find },
    probeHttps: async () => ({ ok: true, error: null }),
    ownHost: 'way.example',
  }
  return { lookups: new DomainLookups(sources, admission), admission, asked, end: () => end([]) }
}

it('looks a domain up once for all concurrent requests of any account', async () => {
  const { lookups, asked, end } = openLookups()
  const ask = (account: string) => as(account, () => lookups.proofs('slow.example'))
  const requests = [ask('a'), ask('a'), ask('b')]
  end()
  expect(await Promise.all(requests)).toEqual([[], [], []])
  expect(asked).toEqual(['_waymark.slow.example'])
  await ask('a')
  expect(asked).toHaveLength(2)
})

it('lets a second account immediately look up a domain that waits in the queue of the first', async () => {
  const { lookups, admission, asked, end } = openLookups()
  const waiting = Array.from({ length: domainLookups.share }, (_, at) =>
    as('a', () => lookups.all(`slow${at}.example`)),
  )
  const queued = as('a', () => lookups.proofs('both.example'))
  expect(admission.counts().domainLookups).toMatchObject({ running: domainLookups.share, waiting: 1 })
  const found = await as('b', () => lookups.proofs('both.example'))
  expect(found).toEqual(['_waymark.both.example'])
  expect(admission.counts().domainLookups).toMatchObject({ running: domainLookups.share, waiting: 1 })
  end()
  await Promise.all([...waiting, queued])
  expect(asked.filter((name) => name.includes('both'))).toHaveLength(2)
})

it('rejects requests that do not fit into the queue of an account, and no request of another', async () => {
  const { lookups, admission, end } = openLookups()
  const places = domainLookups.share + domainLookups.queue / 4
  const requests = Array.from({ length: places }, (_, at) =>
    as('a', () => lookups.proofs(`slow${at}.example`)),
  )
  await expect(as('a', () => lookups.proofs('more.example'))).rejects.toMatchObject({
    status: 503,
  })
  expect(await as('b', () => lookups.proofs('b.example'))).toHaveLength(1)
  end()
  await Promise.all(requests)
  expect(admission.counts().domainLookups).toEqual({ running: 0, waiting: 0, rejected: 1 })
})
