import type { IncomingMessage } from 'node:http'
import { sites } from '@waymark/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AddressReader } from '../../net/client-address.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import { isBearer, isSameText } from '../../net/caller.ts'

export interface AskDependencies {
  /** Whether a name is the instance's own host or a verified domain; from memory. */
  readonly isVerified: (name: string) => boolean
  readonly addressOf: AddressReader
  /** Lets callers ask from anywhere. */
  readonly token: string | undefined
}

/** A forwarded request comes from a visitor, whatever the address of the proxy. */
const isForwarded = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

/**
 * Tells a proxy whether it may get a certificate for a host: 200 or 404. Without that question strangers could make the
 * proxy request certificates for any number of names. Only private networks and callers with the token may ask.
 */
export const askSite =
  ({ isVerified, addressOf, token }: AskDependencies) =>
  (app: FastifyInstance): void => {
    const mayAsk = ({ raw, headers }: FastifyRequest, given: string | undefined): boolean =>
      (token !== undefined && (isBearer(headers.authorization, token) || isSameText(given, token))) ||
      (!isForwarded(raw) && !isPublicAddress(addressOf(raw)))

    app.get<{ Querystring: Record<string, unknown> }>(`${sites.wellKnown}/waymark/ask`, (request, reply) => {
      const { domain, token: given } = request.query
      const isKnown =
        mayAsk(request, typeof given === 'string' ? given : undefined) &&
        typeof domain === 'string' &&
        isVerified(domain.toLowerCase().replace(/\.$/, ''))
      return reply
        .code(isKnown ? 200 : 404)
        .header('cache-control', 'no-store')
        .send({ domain: typeof domain === 'string' ? domain : null, verified: isKnown })
    })
  }
