import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Read each time: a machine's addresses change while it runs. */
function ownAddresses(): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addAddress('0.0.0.0', 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addAddress('::', 'ipv6')
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  return list
}

/** Whether a host of a URL, without trailing dot, is the machine this runs on. */
function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version !== 0 && ownAddresses().check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** Tells URLs that lead back to this server by the name or an address of its machine, on one of its ports. */
export function leadsToOwnPort({ baseUrl, port }: { baseUrl: string; port: number }): (url: URL) => boolean {
  const own = new URL(baseUrl)
  const ports = new Set([port, portOf(own)])
  return (url) => {
    if (!ports.has(portOf(url))) return false
    const hostname = withoutTrailingDot(url.hostname)
    return hostname === withoutTrailingDot(own.hostname) || isThisMachine(hostname)
  }
}

export const withoutTrailingDot = (hostname: string): string => hostname.replace(/\.$/, '')
