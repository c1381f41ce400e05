import { request } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isPublicAddress, namesPrivateHost, publicLookup } from './public-address.ts'

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '192.0.1.1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(['2606:4700::1111', '2a00:1450:4001:80b::200e'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'nonsense',
    '',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('namesPrivateHost', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://169.254.169.254/latest/meta-data/',
  ])('%s does', (url) => expect(namesPrivateHost(new URL(url))).toBe(true))
  it.each(['https://example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://notlocalhost/'])(
    '%s does not',
    (url) => expect(namesPrivateHost(new URL(url))).toBe(false),
  )
})

describe('publicLookup', () => {
  const connect = (lookup: ReturnType<typeof publicLookup>, port: number): Promise<string> =>
    new Promise((resolve) => {
      request({ host: 'rebound.example', port, lookup, agent: false })
        .on('error', (error) => resolve(error.name))
        .on('response', () => resolve('answered'))
        .end()
    })

  it('rejects a private address that a name resolves to', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const found of [[{ address: '127.0.0.1', family: 4 }], [{ address: '::1', family: 6 }], []])
      expect(
        await connect(
          publicLookup(() => Promise.resolve(found)),
          port,
        ),
      ).toBe('PrivateAddressError')
    expect(connections).toBe(0)
    server.close()
  })

  it('returns only the public addresses', async () => {
    const lookup = publicLookup(() =>
      Promise.resolve([
        { address: '10.0.0.1', family: 4 },
        { address: '8.8.8.8', family: 4 },
      ]),
    )
    const all = await new Promise((resolve) => lookup('x', { all: true }, (_error, found) => resolve(found)))
    expect(all).toEqual([{ address: '8.8.8.8', family: 4 }])
    const one = await new Promise((resolve) => lookup('x', {}, (_error, found) => resolve(found)))
    expect(one).toBe('8.8.8.8')
  })

  it('treats the public address of this machine as private', async () => {
    const isOwn = (address: string): boolean => address === '8.8.8.8'
    const lookup = publicLookup(() => Promise.resolve([{ address: '8.8.8.8', family: 4 }]), isOwn)
    const error = await new Promise((resolve) => lookup('x', {}, (fault) => resolve(fault)))
    expect(error).toMatchObject({ name: 'PrivateAddressError' })
    expect(namesPrivateHost(new URL('http://8.8.8.8/'), isOwn)).toBe(true)
    expect(namesPrivateHost(new URL('http://8.8.4.4/'), isOwn)).toBe(false)
  })

  it('passes on that a name is unknown', async () => {
    const lookup = publicLookup(() => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })))
    const error = await new Promise((resolve) => lookup('x', {}, (fault) => resolve(fault)))
    expect(error).toMatchObject({ code: 'ENOTFOUND' })
  })
})
