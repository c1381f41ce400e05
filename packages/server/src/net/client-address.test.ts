import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressBucket, createAddressReader } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

describe('addressBucket', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['nonsense', 'nonsense'],
  ])('%s counts as %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket)
  })
})

describe('createAddressReader', () => {
  it('ignores the header if no proxy is trusted', () => {
    expect(createAddressReader(0)(request('::ffff:192.0.2.1', '203.0.113.7'))).toBe('192.0.2.1')
  })

  it('trusts the configured number of proxies, counted from the server', () => {
    const forwarded = request('192.0.2.1', '6.6.6.6, 203.0.113.7, 10.0.0.1')
    expect(createAddressReader(1)(forwarded)).toBe('10.0.0.1')
    expect(createAddressReader(2)(forwarded)).toBe('203.0.113.7')
    expect(createAddressReader(1)(request('192.0.2.1'))).toBe('192.0.2.1')
  })

  it('trusts known proxies, and returns the last address that is not one of them', () => {
    const read = createAddressReader('10.0.0.0/8, 192.0.2.1')
    expect(read(request('192.0.2.1', '6.6.6.6, 203.0.113.7, 10.1.2.3'))).toBe('203.0.113.7')
    expect(read(request('198.51.100.1', '203.0.113.7'))).toBe('198.51.100.1')
  })

  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::FFFF:cb00:7107]:443', '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['::cb00:7107', '::cb00:7107'],
  ])('takes %s, as some proxies write it, as %s', (forwarded, address) => {
    expect(createAddressReader(1)(request('192.0.2.1', forwarded))).toBe(address)
    expect(createAddressReader('192.0.2.1')(request('192.0.2.1', `6.6.6.6, ${forwarded}`))).toBe(address)
    const known = createAddressReader('10.0.0.0/8, 192.0.2.1')
    expect(known(request('192.0.2.1', `${forwarded}, 10.1.2.3:443`))).toBe(address)
  })
})
