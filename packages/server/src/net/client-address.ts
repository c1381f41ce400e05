import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'

/** The part of a request that shows where it comes from. */
export interface RequestOrigin {
  readonly socket: Pick<Socket, 'remoteAddress'>
  readonly headers: IncomingHttpHeaders
}

/** Returns the client's address; an IPv4-mapped IPv6 address becomes IPv4. */
export type AddressReader = (request: RequestOrigin) => string

const MAPPED_V4 = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/

/** Converts an IPv4-mapped IPv6 address to IPv4: ::ffff:192.0.2.1, or ::ffff:c000:201 as some proxies write it. */
export function plainAddress(address = ''): string {
  // Every mapped address begins with zeros. Most addresses are IPv4, and sockets write mapped ones in decimal.
  if (!/^[:0]/.test(address)) return address
  const decimal = address.replace(/^::ffff:(\d{1,3}\.)/i, '$1')
  if (decimal !== address || !isIPv6(address)) return decimal
  const [, high, low] = MAPPED_V4.exec(new URL(`http://[${address.split('%', 1).join('')}]`).hostname) ?? []
  if (high === undefined || low === undefined) return address
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}

/** A number is how many proxies are trusted, counted from the server: only addresses that they appended are used. */
export function createAddressReader(trustProxy: number | string): AddressReader {
  if (trustProxy === 0) return (request) => plainAddress(request.socket.remoteAddress)
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddress.compile(trustProxy.split(',').map((item) => item.trim()))
  return (request) => plainAddress(proxyAddress(withoutPorts(request) as IncomingMessage, trust))
}

/** Some proxies append `address:port`. With the port, every connection would count as another client. */
function withoutPorts({ socket, headers }: RequestOrigin): RequestOrigin {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return { socket, headers }
  const addresses = forwarded.split(',').map((item) => {
    const address = item.trim()
    return /^\[([^\]]*)\](?::\d*)?$/.exec(address)?.[1] ?? /^([\d.]+):\d*$/.exec(address)?.[1] ?? address
  })
  return { socket, headers: { 'x-forwarded-for': addresses.join(', ') } }
}

/** Whether connections from an address come from a trusted proxy. */
export function createProxyTest(trustProxy: number | string): (address: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const trust = proxyAddress.compile(trustProxy.split(',').map((item) => item.trim()))
  return (address) => trust(address, 0)
}

/** Tests whether an address is in one of these ranges (CIDR) or equal to one of these addresses; null: always true. */
export function createAddressTest(ranges: readonly string[] | null): (address: string) => boolean {
  if (ranges === null) return () => true
  const list = new BlockList()
  for (const range of ranges) {
    const [given = '', bits] = range.split('/')
    const address = plainAddress(given)
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    // A range of mapped addresses (::ffff:10.0.0.0/104) has 96 bits before the IPv4 range.
    else list.addSubnet(address, address === given ? Number(bits) : Math.max(0, Number(bits) - 96), family)
  }
  return (address) => {
    const plain = plainAddress(address).split('%', 1).join('')
    return list.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
  }
}

/** The unit of limits per address: an IPv6 customer has a whole /64. */
export const addressBucket = (address: string): string => {
  // Most addresses have no colon, and the expression behind isIPv6 takes longer than the rest of a count.
  if (!address.includes(':') || !isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address.split('%', 1).join('')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
