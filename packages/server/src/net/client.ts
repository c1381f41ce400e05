import type { IncomingMessage } from 'node:http'

/** Who sent a request, as the visitors' half has read it once: everything behind it relies on this alone. */
export interface Client {
  /** The address behind trusted proxies; '' if the client had gone before it was read. */
  readonly address: string
  readonly requestId: string
}

/** On the private socket. What clients send under this name is left out there. */
export const CLIENT_HEADER = 'x-waymark-client'

export const clientHeader = ({ address, requestId }: Client): string => `${requestId} ${address}`

const clients = new WeakMap<object, Client>()

export const noteClient = (request: object, client: Client): void => void clients.set(request, client)

/** Throws for a request that did not pass the visitors' half. */
export function clientOf(request: object): Client {
  const client = clients.get(request)
  if (client === undefined) throw new Error('The request did not pass the visitors’ half')
  return client
}

/** Takes the client from the header of the private socket; false if the request does not come from the visitors' half. */
export function takeClient(request: IncomingMessage): boolean {
  const given = request.headers[CLIENT_HEADER]
  // Spaces around the value of a header are not part of it: without an address there is only the id.
  const [, requestId, address = ''] =
    typeof given === 'string' ? (/^(\S+)(?: (\S+))?$/.exec(given) ?? []) : []
  if (requestId === undefined) return false
  delete request.headers[CLIENT_HEADER]
  noteClient(request, { address, requestId })
  return true
}
