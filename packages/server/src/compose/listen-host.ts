import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

/** Listens on the given address, or on both IPv4 and IPv6. */
export async function onFirstHost(
  host: string | undefined,
  listen: (host: string) => Promise<unknown>,
): Promise<void> {
  if (host !== undefined) {
    await listen(host)
    return
  }
  // A machine without IPv6 has only IPv4.
  await listen('::').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error
    return listen('0.0.0.0')
  })
}

const EVERY_ADDRESS = new Set(['::', '0.0.0.0'])
/** Loopback, and link-local addresses, which only the same network segment reaches. */
const NOT_OUTSIDE = /^(?:127\.|::1$|::ffff:127\.|169\.254\.|fe[89ab])/i

/** The first listening address that other machines can reach, if there is one. */
async function outsideAddress(host: string | undefined): Promise<string | undefined> {
  if (host === undefined || EVERY_ADDRESS.has(host))
    return Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses)
      .filter(({ family }) => host !== '0.0.0.0' || family === 'IPv4')
      .map(({ address }) => address)
      .find((address) => !NOT_OUTSIDE.test(address))
  const address = isIP(host) === 0 ? (await lookup(host)).address : host
  return NOT_OUTSIDE.test(address) ? undefined : address
}

/** A warning for operators who try the service on a machine that others can reach. */
export async function signUpNotice({
  host,
  signup,
  passwordSignIn,
}: Pick<Config, 'host' | 'signup' | 'passwordSignIn'>): Promise<string | undefined> {
  const address = signup === 'open' && passwordSignIn ? await outsideAddress(host) : undefined
  return address === undefined
    ? undefined
    : `Sign-up is open: everyone who can reach ${address} can create an account. SIGNUP=closed closes it.`
}

/** Logs the address of the service, and whether sign-up is open. */
export async function announce(config: Config, processes: string): Promise<void> {
  console.log(`Waymark is at ${config.baseUrl}  (${processes}data in ${config.dataDir})`)
  const notice = await signUpNotice(config)
  if (notice !== undefined) console.log(notice)
}
