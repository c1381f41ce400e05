import { AsyncLocalStorage } from 'node:async_hooks'

/** Who work is done for. Work of the server itself belongs to no party. */
export interface Party {
  /** The account that asks, once it has proved who it is. */
  readonly account?: string | undefined
  /** The address bucket that asks: one IPv4 address or one IPv6 /64, behind trusted proxies. */
  readonly address?: string | undefined
  /** Whether its connection has ended: work that has not begun then need not begin. */
  readonly isGone?: (() => boolean) | undefined
}

const NOBODY: Party = {}
const parties = new AsyncLocalStorage<Party>()

/** Runs work in the name of a party: all expensive work in it counts against that party's share. */
export const actingFor = <T>(party: Party, work: () => T): T => parties.run(party, work)

export const currentParty = (): Party => parties.getStore() ?? NOBODY
