import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { DomainRow, DomainStore } from './domains.store.ts'
import { openDomainRegistry } from './registry.ts'

const row = (name: string): DomainRow => ({ name, user_uuid: null, token: '', verified_at: 1, created_at: 0 })

/** A store whose second and later reads wait until the test lets them go on. */
function slowStore() {
  const gate = Promise.withResolvers<void>()
  let reads = 0
  const store: Pick<DomainStore, 'version' | 'listAll'> = {
    version: async () => {
      reads++
      if (reads > 1) await gate.promise
      return reads
    },
    listAll: () => Promise.resolve(reads > 1 ? [row('go.example')] : []),
  }
  return { store, release: gate.resolve, reads: () => reads }
}

it('waits on close for a refresh in progress, and starts none afterwards', async () => {
  const { store, release, reads } = slowStore()
  const registry = await openDomainRegistry(store, 'https://way.example')
  registry.refreshSoon()
  let isClosed = false
  const closing = registry.close().then(() => (isClosed = true))
  await delay(5)
  expect([reads(), isClosed]).toEqual([2, false])
  release()
  await closing
  expect(registry.domainOf('go.example')).toBe('go.example')
  registry.refreshSoon()
  expect(reads()).toBe(2)
})
