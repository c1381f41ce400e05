import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

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

const linesOf = (file: string): string[][] => {
  try {
    const lines = readFileSync(file, 'utf8').toLowerCase().split('\n')
    return lines.map((line) => line.replace(/#.*/, '').split(/\s+/).filter(Boolean))
  } catch {
    // A system without this file has other ways, which are not known here.
    return []
  }
}

/** The host name of this machine, alone and with its domain: as /etc/hosts has it, and as resolvers complete it. */
function machineNames(): Set<string> {
  const name = hostname().toLowerCase()
  const aliases = linesOf('/etc/hosts').filter((names) => names.includes(name))
  const domains = linesOf('/etc/resolv.conf').filter(([key]) => key === 'search' || key === 'domain')
  return new Set([
    name,
    ...name.split('.', 1),
    ...aliases.flatMap((names) => names.slice(1)),
    ...domains.flatMap((names) => names.slice(1).map((domain) => `${name}.${domain}`)),
  ])
}

/** Whether a host of a URL, without trailing dot, is the machine this runs on. */
function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const address = host.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version !== 0 && ownAddresses().check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** Tells URLs that lead back to this server by the name or an address of its machine, on one of its ports. */
export function leadsToOwnPort({ baseUrl, port }: { baseUrl: string; port: number }): (url: URL) => boolean {
  const own = new URL(baseUrl)
  const ports = new Set([port, portOf(own)])
  const names = machineNames().add(withoutTrailingDot(own.hostname))
  return (url) => {
    if (!ports.has(portOf(url))) return false
    const host = withoutTrailingDot(url.hostname)
    return names.has(host) || isThisMachine(host)
  }
}

export const withoutTrailingDot = (host: string): string => host.replace(/\.$/, '')
