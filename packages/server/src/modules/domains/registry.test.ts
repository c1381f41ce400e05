import { setTimeout as delay } from 'node:timers/promises'
import { existsSync, readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { NO_SETTINGS } from './domain-fields.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'
import { openDomainRegistry } from './registry.ts'

const row = (name: string): DomainRow => ({
  ...NO_SETTINGS,
  uuid: name,
  name,
  workspace_uuid: null,
  token: '',
  verified_at: 1,
  created_at: 0,
  updated_at: 1,
})

/** A store whose second and later reads wait for the test. */
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

it('close waits for a refresh in progress, and starts none afterwards', async () => {
  const { store, release, reads } = slowStore()
  const registry = await openDomainRegistry(store, { baseUrl: 'https://way.example', port: 3000 })
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

describe('a URL that leads back here', () => {
  const isServed = async (url: string): Promise<boolean> => {
    const store = { version: () => Promise.resolve(1), listAll: () => Promise.resolve([row('go.example')]) }
    const registry = await openDomainRegistry(store, { baseUrl: 'https://way.example', port: 3000 })
    await registry.close()
    return registry.isServed(new URL(url))
  }
  const machine = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  const hosts = existsSync('/etc/hosts') ? readFileSync('/etc/hosts', 'utf8') : ''
  const loopbackNames = [...hosts.matchAll(/^(?:127\.|::1\s)(.*)$/gm)].flatMap(([line]) =>
    line.replace(/#.*/, '').trim().split(/\s+/).slice(1),
  )

  it.each([
    'https://way.example/a',
    'http://way.example/a',
    'https://way.example./a',
    'http://way.example:3000/a',
    'http://go.example:8080/a',
    'http://go.example./a',
  ])('is %s', async (url) => {
    expect(await isServed(url)).toBe(true)
  })

  it.each([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '0x7f.9.9.9',
    '2130706433',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    ...machine,
    hostname(),
    `${hostname().toUpperCase()}.`,
    ...loopbackNames,
  ])('is %s on the port of the server or of BASE_URL', async (host) => {
    expect(await isServed(`http://${host}:3000/a`)).toBe(true)
    expect(await isServed(`https://${host}/a`)).toBe(true)
    expect(await isServed(`http://${host}:3001/a`)).toBe(false)
  })

  it.each([
    'https://example.com/a',
    'https://example.com:3000/a',
    'http://128.0.0.1:3000/a',
    'http://[2001:db8::1]:3000/a',
    'https://notlocalhost/a',
    'https://sub.way.example/a',
    `https://${hostname()}.example/a`,
  ])('is not %s', async (url) => {
    expect(await isServed(url)).toBe(false)
  })
})
