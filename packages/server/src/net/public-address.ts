import { Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** IPv4 addresses of this machine and its networks, and reserved ones. */
const special4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special4.addSubnet(network, bits, 'ipv4')

/** The only public block of IPv6; loopback, mapped, local and multicast addresses are outside. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Ranges inside it that are for documentation, or embed an unchecked IPv4 address. */
const special6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special6.addSubnet(network, bits, 'ipv6')

/** Whether an address is public: reachable from anywhere on the internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** A machine reaches its own public address behind its firewall, so that address counts as private. */
const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((found) => found?.some((own) => own.address === address))

/** Whether a URL's host is obviously not public. Names are checked when they are resolved for a connection. */
export function namesPrivateHost(url: URL, isOwn = isOwnAddress): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isPublicAddress(host) || isOwn(host)
  return /^(?:.*\.)?localhost\.?$/.test(host)
}

export class PrivateAddressError extends Error {
  constructor() {
    super('The address is not public')
    this.name = 'PrivateAddressError'
  }
}

type Resolve = (hostname: string) => Promise<LookupAddress[]>

const DNS_TIMEOUT_MS = 2_500

/** Not the system's look-up: it has few threads, and a name server that never responds would block them all. */
const resolveName: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/**
 * A look-up for connections that may only reach public addresses. It checks the addresses that are connected to, which
 * defeats DNS rebinding.
 */
export const publicLookup =
  (resolve: Resolve = resolveName, isOwn = isOwnAddress): LookupFunction =>
  (hostname, options, callback) => {
    const answer = (found: LookupAddress[]): void => {
      const allowed = found.filter(({ address }) => isPublicAddress(address) && !isOwn(address))
      const [first] = allowed
      if (first === undefined) callback(new PrivateAddressError(), '', 0)
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    }
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, '', 0))
  }
