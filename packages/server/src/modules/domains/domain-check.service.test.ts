import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Limits } from '../../net/limits/limits.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createClaimStore } from './claims.store.ts'
import { DomainCheckService } from './domain-check.service.ts'
import { NO_SETTINGS } from './domain-fields.ts'
import { type DnsRecords, DomainLookups, type HttpsFinding } from './domain-lookups.ts'
import { createDomainStore } from './domains.store.ts'

const OWN = 'way.example'
const NAME = 'go.example.org'

interface Zone {
  readonly txt?: Record<string, string[]>
  readonly cname?: Record<string, string[]>
  readonly addresses?: Record<string, string[]>
}

forEachDatabase((_engine, open) => {
  const openCheck = async (zone: Zone, https: HttpsFinding = { ok: true, error: null }) => {
    const db = await open()
    const [store, claims] = [createDomainStore(db), createClaimStore(db)]
    const dns: DnsRecords = {
      txt: async (name) => zone.txt?.[name] ?? [],
      cname: async (name) => zone.cname?.[name] ?? [],
      addresses: async (name) => zone.addresses?.[name] ?? [],
    }
    let taken = 0
    const limits = {
      take: async (_bucket: string, limit: number) => ({ allowed: ++taken <= limit, resetMs: 60_000 }),
    } as unknown as Limits
    const user = await insertTestUser(db)
    const claim = {
      uuid: randomUUID(),
      name: NAME,
      workspace_uuid: user,
      token: 'waymark-1',
      ignore_case: 0 as const,
    }
    await db.write(() => claims.insert({ ...claim, created_at: 1, updated_at: 1 }))
    const checks = new DomainCheckService({
      store,
      claims,
      limits,
      lookups: new DomainLookups({ dns, probeHttps: async () => https, ownHost: OWN }),
      ownHost: OWN,
      now: () => 1,
    })
    return { db, store, claims, checks, user }
  }

  it('finds no records of a new domain, and returns the expected ones', async () => {
    const error = 'The name has no address'
    const { checks, user } = await openCheck({ addresses: { [OWN]: ['192.0.2.1'] } }, { ok: false, error })
    expect(await checks.check(user, 'GO.example.org.')).toEqual({
      name: NAME,
      verified: false,
      records: [
        { type: 'TXT', name: `_waymark.${NAME}`, expected: ['waymark-1'], found: [], ok: false },
        { type: 'A', name: NAME, expected: ['192.0.2.1'], found: [], ok: false },
      ],
      https: { ok: false, error },
    })
  })

  it('returns the records found instead of the expected ones', async () => {
    const { checks, user } = await openCheck({
      txt: { [`_waymark.${NAME}`]: ['waymark-2'] },
      cname: { [NAME]: ['elsewhere.example'] },
      addresses: { [NAME]: ['192.0.2.9'], [OWN]: ['192.0.2.1'] },
    })
    expect((await checks.check(user, NAME)).records).toEqual([
      expect.objectContaining({ found: ['waymark-2'], ok: false }),
      { type: 'CNAME', name: NAME, expected: [OWN], found: ['elsewhere.example'], ok: false },
    ])
  })

  it.each<[string, Zone, string]>([
    ['a CNAME record', { cname: { [NAME]: [`${OWN}.`] } }, 'CNAME'],
    ['an A record', { addresses: { [NAME]: ['192.0.2.1'], [OWN]: ['192.0.2.1'] } }, 'A'],
    [
      'an AAAA record',
      { addresses: { [NAME]: ['2001:db8::1'], [OWN]: ['192.0.2.1', '2001:db8::1'] } },
      'AAAA',
    ],
    [
      'a CNAME record that leads to the same address by another name',
      { cname: { [NAME]: ['edge.example'] }, addresses: { [NAME]: ['192.0.2.1'], [OWN]: ['192.0.2.1'] } },
      'CNAME',
    ],
  ])('is content with %s', async (_name, zone, type) => {
    const { checks, user } = await openCheck(zone)
    expect((await checks.check(user, NAME)).records.at(-1)).toMatchObject({ type, ok: true })
  })

  it('checks only domains of the caller, with a rate limit', async () => {
    const { db, store, checks, user } = await openCheck({})
    const other = await insertTestUser(db)
    await expect(checks.check(other, NAME)).rejects.toMatchObject({ status: 404 })
    const row = {
      ...NO_SETTINGS,
      workspace_uuid: other,
      token: '',
      verified_at: 1,
      created_at: 1,
      updated_at: 1,
    }
    await db.write(() => store.insert({ ...row, uuid: randomUUID(), name: 'added-by-operator.example' }))
    expect(await checks.check(other, 'added-by-operator.example')).toMatchObject({
      verified: true,
      records: [{ type: 'A' }],
    })
    for (let at = 0; at < 9; at++) await checks.check(user, NAME)
    await expect(checks.check(user, NAME)).rejects.toMatchObject({ status: 429 })
  })
})
