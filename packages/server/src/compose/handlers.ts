import type { Config } from '../config.ts'
import type { AccessLog } from '../net/access-log.ts'
import { createProxyTest } from '../net/client-address.ts'
import { isPublicAddress } from '../net/public-address.ts'
import type { Handlers } from '../visitors/server.ts'
import type { PassOn } from '../visitors/site.ts'
import type { Visitors } from './visitors.ts'

/** What the server of the visitors' half calls. */
export function handlersOf(
  config: Config,
  { takeConnections, front, handle }: Visitors,
  accessLog: AccessLog | undefined,
  passOn: PassOn,
): Handlers {
  const isProxy = createProxyTest(config.trustProxy)
  return {
    takeConnections,
    front,
    handle,
    passOn,
    connectionsPerAddress: config.connectionsPerAddress,
    // A client that has already left has no address.
    isExemptAddress: (address) => address !== '' && (!isPublicAddress(address) || isProxy(address)),
    accessLog,
  }
}
