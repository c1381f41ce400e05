import { expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { createTombstones } from '../../storage/tombstones.ts'
import { createIds } from '../../storage/db/ids.ts'
import { DAY_MS } from '../../work/times.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { DomainClaimService } from './domain-claims.service.ts'
import { DomainService } from './domains.service.ts'
import { createDomainResponses } from './domain-response.ts'
import { createClaimStore } from './claims.store.ts'
import { createDomainStore } from './domains.store.ts'
import { openDomainRegistry } from './registry.ts'

forEachDatabase((_engine, open) => {
  const openDomains = async (records: Record<string, string[]> = {}) => {
    const db: Database = await open()
    const clock = { ms: 10 * DAY_MS, moves: 0 }
    const store = createDomainStore(db)
    const baseUrl = 'https://way.example'
    const registry = await openDomainRegistry(store, { baseUrl, port: 3000 })
    const quotas: Quotas = {
      take: (workspaceUuid, name, count = 1) => bumpTotal(db, workspaceUuid, name, count),
      check: async () => {},
      adjust: (workspaceUuid, name, count) => bumpTotal(db, workspaceUuid, name, count),
    }
    const shared = {
      db,
      store,
      registry,
      quotas,
      blobs: { release: async () => {} },
      tombstones: createTombstones(db, Buffer.alloc(32), () => clock.ms),
      responses: createDomainResponses('way.example', (hash) => hash),
      domainsChanged: registry.refreshSoon,
      now: () => clock.ms,
      newId: createIds(() => clock.ms),
    }
    const claims = new DomainClaimService({
      ...shared,
      claims: createClaimStore(db),
      lookups: { proofs: (name) => Promise.resolve(records[`_waymark.${name}`] ?? []) },
      ownerChanged: () => void clock.moves++,
      own: 'way.example',
    })
    const domains = new DomainService({ ...shared, claims, baseUrl })
    return {
      db,
      clock,
      store,
      domains,
      claims,
      registry,
      user: await insertTestUser(db),
      other: await insertTestUser(db),
    }
  }

  it('fixes whether it ignores case with its first short code', async () => {
    const { db, domains, store, user } = await openDomains()
    const { name } = await domains.addVerified('case.example', user, true)
    const spell = async (code: string) => db.write(async () => (await domains.spelling(name))(code))
    expect(await db.write(() => store.setCase(name, 0))).toBe(true)
    expect(await spell('Menu')).toBe('Menu')
    expect(await db.write(() => store.setCase(name, 1))).toBe(false)
    await domains.remove(user, name)
    await expect(domains.addVerified(name, user, true)).rejects.toMatchObject({ code: 'domain_had_codes' })
    expect(await domains.addVerified(name, user)).toMatchObject({ ignore_case: 0, has_codes: 1 })

    const other = (await domains.addVerified('other.example', user, true)).name
    expect(await db.write(async () => (await domains.spelling(other))('Menu'))).toBe('menu')
    await domains.remove(user, other)
    // Its short codes are never reused, in any spelling that matched them.
    expect(await domains.addVerified(other, user)).toMatchObject({ ignore_case: 1, has_codes: 1 })
    expect(await db.write(async () => (await domains.spelling(''))('Menu'))).toBe('Menu')
  })

  it('keeps the case setting of a domain that moves to another account', async () => {
    const records: Record<string, string[]> = {}
    const { db, claims, domains, user, other } = await openDomains(records)
    const prove = async (by: string, value: string | null, ignoresCase?: boolean) => {
      const name = 'moves.example'
      const added = await claims.add(by, name, ignoresCase)
      expect(added.ignore_case).toBe(ignoresCase ?? false)
      records[`_waymark.${name}`] = [value ?? added.txt_value ?? '']
      return claims.verify(by, name, await claims.prove(by, name))
    }
    expect((await prove(user, null, true)).ignore_case).toBe(true)
    // It has had no short code yet, so the next owner decides.
    expect((await prove(other, null)).ignore_case).toBe(false)
    expect((await prove(user, null, true)).ignore_case).toBe(true)
    await db.write(() => domains.spelling('moves.example'))
    expect((await prove(other, null)).ignore_case).toBe(true)
  })

  it('activates a domain when its TXT record exists, only for its owner', async () => {
    const records: Record<string, string[]> = {}
    const { domains, claims, registry, user, other } = await openDomains(records)
    const added = await claims.add(user, 'Bücher.example')
    expect(added).toMatchObject({
      name: 'xn--bcher-kva.example',
      verified: false,
      txt_name: '_waymark.xn--bcher-kva.example',
    })
    await expect(domains.choose(user, 'bücher.example')).rejects.toMatchObject({ status: 422 })
    await expect(claims.prove(user, added.name)).rejects.toMatchObject({ status: 422 })

    records[added.txt_name ?? ''] = ['something else', added.txt_value ?? '']
    await expect(claims.prove(other, added.name)).rejects.toMatchObject({ status: 404 })
    await claims.verify(user, added.name, await claims.prove(user, added.name))
    await registry.refresh()
    expect(await domains.choose(user, 'BÜCHER.example.')).toBe('xn--bcher-kva.example')
    expect(registry.domainOf('xn--bcher-kva.example:8080')).toBe('xn--bcher-kva.example')
    await expect(domains.choose(other, 'bücher.example')).rejects.toMatchObject({ status: 422 })
    await registry.close()
  })

  it('does not serve a domain that is not proven', async () => {
    const { claims, registry, user } = await openDomains()
    await claims.add(user, 'go.example.org')
    await registry.refresh()
    expect(registry.domainOf('go.example.org')).toBe('')
    await registry.close()
  })

  it('never assigns its own host, nor domains that an operator added', async () => {
    const { domains, claims, registry, user } = await openDomains()
    await domains.addVerified('go.example.org', null)
    for (const name of ['way.example', 'GO.example.org'])
      await expect(claims.add(user, name)).rejects.toMatchObject({ status: 409 })
    await registry.close()
  })

  it('several accounts can claim a name; the first proof wins and closes the other claims', async () => {
    const records: Record<string, string[]> = {}
    const { domains, claims, registry, user, other } = await openDomains(records)
    const squatted = await claims.add(other, 'go.example.org')
    const added = await claims.add(user, 'go.example.org')
    expect(squatted.txt_value).not.toBe(added.txt_value)
    records['_waymark.go.example.org'] = [added.txt_value ?? '']
    await expect(claims.prove(other, added.name)).rejects.toMatchObject({ status: 422 })
    await claims.verify(user, added.name, await claims.prove(user, added.name))
    await expect(claims.prove(other, added.name)).rejects.toMatchObject({ status: 404 })
    expect((await domains.list(other)).map(({ name }) => name)).toEqual(['way.example'])
    await registry.close()
  })

  it('moves a proven name when the new record exists and the old one does not', async () => {
    const records: Record<string, string[]> = {}
    const { clock, domains, claims, registry, user, other } = await openDomains(records)
    const first = await claims.add(user, 'go.example.org')
    records['_waymark.go.example.org'] = [first.txt_value ?? '']
    await claims.verify(user, first.name, await claims.prove(user, first.name))
    const second = await claims.add(other, first.name)
    records['_waymark.go.example.org'] = [first.txt_value ?? '', second.txt_value ?? '']
    await expect(claims.prove(other, first.name)).rejects.toMatchObject({ status: 422 })
    records['_waymark.go.example.org'] = [second.txt_value ?? '']
    await claims.verify(other, first.name, await claims.prove(other, first.name))
    expect([await domains.choose(other, first.name), clock.moves]).toEqual([first.name, 1])
    await expect(domains.choose(user, first.name)).rejects.toMatchObject({ status: 422 })
    await registry.close()
  })

  it('cannot verify a claim that was removed after it was proven', async () => {
    const records: Record<string, string[]> = {}
    const { domains, claims, registry, user } = await openDomains(records)
    const added = await claims.add(user, 'go.example.org')
    records['_waymark.go.example.org'] = [added.txt_value ?? '']
    const proven = await claims.prove(user, added.name)
    await domains.remove(user, added.name)
    await claims.add(user, added.name)
    await expect(claims.verify(user, added.name, proven)).rejects.toMatchObject({ status: 404 })
    await registry.close()
  })

  it('expires claims after seven days, and allows at most twenty', async () => {
    const { domains, claims, registry, clock, user } = await openDomains()
    for (let at = 0; at < 20; at++) await claims.add(user, `d${at}.example.org`)
    await expect(claims.add(user, 'one-more.example.org')).rejects.toMatchObject({ code: 'too_many_claims' })
    clock.ms += 7 * DAY_MS
    expect(await domains.list(user)).toHaveLength(1)
    await expect(claims.prove(user, 'd0.example.org')).rejects.toMatchObject({ status: 404 })
    await claims.add(user, 'one-more.example.org')
    await registry.close()
  })

  it('counts claims and domains of an account together, and removes both at once', async () => {
    const records: Record<string, string[]> = {}
    const { db, domains, claims, registry, user, other } = await openDomains(records)
    const added = await claims.add(user, 'go.example.org')
    await claims.add(user, 'more.example.org')
    records['_waymark.go.example.org'] = [added.txt_value ?? '']
    await claims.verify(user, added.name, await claims.prove(user, added.name))
    expect(await readTotal(db, user, 'domains')).toBe(2)
    await expect(domains.remove(other, added.name)).rejects.toMatchObject({ status: 404 })
    for (const name of ['more.example.org', 'GO.example.org.'])
      expect(await domains.remove(user, name)).toEqual({ name: name.toLowerCase().replace(/\.$/, '') })
    expect(await readTotal(db, user, 'domains')).toBe(0)
    expect((await domains.list(user)).map(({ name }) => name)).toEqual(['way.example'])
    await expect(domains.remove(user, added.name)).rejects.toMatchObject({ status: 404 })
    await registry.close()
  })

  it('lists usable domains by name, then claims', async () => {
    const { domains, claims, registry, user, other } = await openDomains()
    await domains.addVerified('c.example', user)
    await domains.addVerified('b.example', null)
    await domains.addVerified('a.example', user)
    await domains.addVerified('other.example', other)
    for (const name of ['z.example', 'd.example']) await claims.add(user, name)
    const names = (await domains.list(user)).map(({ name, shared, verified }) => [name, shared, verified])
    expect(names).toEqual([
      ['way.example', true, true],
      ['a.example', false, true],
      ['b.example', true, true],
      ['c.example', false, true],
      ['d.example', false, false],
      ['z.example', false, false],
    ])
    await registry.close()
  })

  it('erases only claims and domains of a deleted account', async () => {
    const { db, domains, claims, registry, user, other } = await openDomains()
    await domains.addVerified('mine.example', user)
    await domains.addVerified('shared.example', null)
    for (const account of [user, other]) await claims.add(account, 'claimed.example')
    let batches = 0
    while (await db.write(() => domains.eraseSome(user))) batches++
    expect(batches).toBe(2)
    const left = await domains.listAll()
    expect(left.domains.map(({ name }) => name)).toEqual(['shared.example'])
    expect(left.claims.map(({ workspace_uuid }) => workspace_uuid)).toEqual([other])
    await registry.refresh()
    expect([registry.isVerified('mine.example'), registry.isVerified('shared.example')]).toEqual([
      false,
      true,
    ])
    expect(await domains.removeUnused('SHARED.example')).toMatchObject({ name: 'shared.example' })
    expect((await domains.listAll()).domains).toEqual([])
    await registry.close()
  })
})
