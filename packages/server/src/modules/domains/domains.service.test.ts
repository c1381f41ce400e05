import { expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { Quotas } from '../accounts/quotas.ts'
import { DomainService } from './domains.service.ts'
import { createDomainStore } from './domains.store.ts'
import { openDomainRegistry } from './registry.ts'

const noQuotas: Quotas = { take: async () => {}, check: async () => {}, adjust: async () => {} }

forEachDatabase((_engine, open) => {
  const openDomains = async (records: Record<string, string[]> = {}) => {
    const db: Database = await open()
    const store = createDomainStore(db)
    const baseUrl = 'https://way.example'
    const registry = await openDomainRegistry(store, baseUrl)
    const domains = new DomainService({
      db,
      store,
      registry,
      quotas: noQuotas,
      baseUrl,
      resolveTxt: (name) => Promise.resolve(records[name] ?? []),
      now: () => 1_000,
    })
    return { db, domains, registry, user: await insertTestUser(db), other: await insertTestUser(db) }
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
    await domains.verify(await domains.prove(user, added.name))
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

  it('gives a name to one owner only, and never the own host', async () => {
    const { domains, registry, user, other } = await openDomains()
    await domains.add(user, 'go.example.org')
    await expect(domains.add(other, 'GO.example.org')).rejects.toMatchObject({ status: 409 })
    await expect(domains.add(user, 'way.example')).rejects.toMatchObject({ status: 409 })
    await registry.close()
  })
})
