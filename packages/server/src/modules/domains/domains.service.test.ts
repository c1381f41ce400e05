import { expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { DomainService } from './domains.service.ts'
import { createDomainResponses } from './domain-response.ts'
import { createClaimStore } from './claims.store.ts'
import { createDomainStore } from './domains.store.ts'
import { openDomainRegistry } from './registry.ts'

const DAY_MS = 86_400_000
const noQuotas: Quotas = { take: async () => {}, check: async () => {}, adjust: async () => {} }

forEachDatabase((_engine, open) => {
  const openDomains = async (records: Record<string, string[]> = {}) => {
    const db: Database = await open()
    const clock = { ms: 10 * DAY_MS, moves: 0 }
    const store = createDomainStore(db)
    const baseUrl = 'https://way.example'
    const registry = await openDomainRegistry(store, { baseUrl, port: 3000 })
    const domains = new DomainService({
      db,
      store,
      claims: createClaimStore(db),
      registry,
      quotas: noQuotas,
      blobs: { release: async () => {} },
      responses: createDomainResponses('way.example', (hash) => hash),
      domainsChanged: registry.refreshSoon,
      ownerChanged: () => void clock.moves++,
      baseUrl,
      lookups: { proofs: (name) => Promise.resolve(records[`_waymark.${name}`] ?? []) },
      now: () => clock.ms,
    })
    return { db, clock, domains, registry, user: await insertTestUser(db), other: await insertTestUser(db) }
  }

  it('takes a domain into use once its TXT record is there, for its owner alone', async () => {
    const records: Record<string, string[]> = {}
    const { domains, registry, user, other } = await openDomains(records)
    const added = await domains.add(user, 'Bücher.example')
    expect(added).toMatchObject({
      name: 'xn--bcher-kva.example',
      verified: false,
      txt_name: '_waymark.xn--bcher-kva.example',
    })
    await expect(domains.choose(user, 'bücher.example')).rejects.toMatchObject({ status: 422 })
    await expect(domains.prove(user, added.name)).rejects.toMatchObject({ status: 422 })

    records[added.txt_name ?? ''] = ['something else', added.txt_value ?? '']
    await expect(domains.prove(other, added.name)).rejects.toMatchObject({ status: 404 })
    await domains.verify(user, added.name, await domains.prove(user, added.name))
    await registry.refresh()
    expect(await domains.choose(user, 'BÜCHER.example.')).toBe('xn--bcher-kva.example')
    expect(registry.domainOf('xn--bcher-kva.example:8080')).toBe('xn--bcher-kva.example')
    await expect(domains.choose(other, 'bücher.example')).rejects.toMatchObject({ status: 422 })
    await registry.close()
  })

  it('does not serve a domain that is not proven', async () => {
    const { domains, registry, user } = await openDomains()
    await domains.add(user, 'go.example.org')
    await registry.refresh()
    expect(registry.domainOf('go.example.org')).toBe('')
    await registry.close()
  })

  it('never gives away the own host, nor what an operator added', async () => {
    const { domains, registry, user } = await openDomains()
    await domains.addVerified('go.example.org', null)
    for (const name of ['way.example', 'GO.example.org'])
      await expect(domains.add(user, name)).rejects.toMatchObject({ status: 409 })
    await registry.close()
  })

  it('lets several accounts claim a name; the first proof wins and closes the other claims', async () => {
    const records: Record<string, string[]> = {}
    const { domains, registry, user, other } = await openDomains(records)
    const squatted = await domains.add(other, 'go.example.org')
    const added = await domains.add(user, 'go.example.org')
    expect(squatted.txt_value).not.toBe(added.txt_value)
    records['_waymark.go.example.org'] = [added.txt_value ?? '']
    await expect(domains.prove(other, added.name)).rejects.toMatchObject({ status: 422 })
    await domains.verify(user, added.name, await domains.prove(user, added.name))
    await expect(domains.prove(other, added.name)).rejects.toMatchObject({ status: 404 })
    expect((await domains.list(other)).map(({ name }) => name)).toEqual(['way.example'])
    await registry.close()
  })

  it('moves a proven name when the new record is there and the old one is gone', async () => {
    const records: Record<string, string[]> = {}
    const { clock, domains, registry, user, other } = await openDomains(records)
    const first = await domains.add(user, 'go.example.org')
    records['_waymark.go.example.org'] = [first.txt_value ?? '']
    await domains.verify(user, first.name, await domains.prove(user, first.name))
    const second = await domains.add(other, first.name)
    records['_waymark.go.example.org'] = [first.txt_value ?? '', second.txt_value ?? '']
    await expect(domains.prove(other, first.name)).rejects.toMatchObject({ status: 422 })
    records['_waymark.go.example.org'] = [second.txt_value ?? '']
    await domains.verify(other, first.name, await domains.prove(other, first.name))
    expect([await domains.choose(other, first.name), clock.moves]).toEqual([first.name, 1])
    await expect(domains.choose(user, first.name)).rejects.toMatchObject({ status: 422 })
    await registry.close()
  })

  it('cannot verify a claim that was given up since it was proven', async () => {
    const records: Record<string, string[]> = {}
    const { domains, registry, user } = await openDomains(records)
    const added = await domains.add(user, 'go.example.org')
    records['_waymark.go.example.org'] = [added.txt_value ?? '']
    const proven = await domains.prove(user, added.name)
    await domains.remove(user, added.name)
    await domains.add(user, added.name)
    await expect(domains.verify(user, added.name, proven)).rejects.toMatchObject({ status: 404 })
    await registry.close()
  })

  it('lets claims lapse after seven days, and keeps at most twenty open', async () => {
    const { domains, registry, clock, user } = await openDomains()
    for (let at = 0; at < 20; at++) await domains.add(user, `d${at}.example.org`)
    await expect(domains.add(user, 'one-more.example.org')).rejects.toMatchObject({ code: 'too_many_claims' })
    clock.ms += 7 * DAY_MS
    expect(await domains.list(user)).toHaveLength(1)
    await expect(domains.prove(user, 'd0.example.org')).rejects.toMatchObject({ status: 404 })
    await domains.add(user, 'one-more.example.org')
    await registry.close()
  })
})
