import type { Client } from '@waymark/sdk'
import { callOf, type Fields } from './operations/call.ts'
import type { Resource } from './resources.ts'
import { FailedCommand } from './terminal/index.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** How users identify a resource on the command line. */
export const idText = ({ name }: Resource): string =>
  name === 'link' ? 'short code, short URL or uuid' : 'uuid'

const notFound = (resource: Resource, id: string): FailedCommand =>
  new FailedCommand(`There is no ${resource.noun} ${id}`)

/** A resource by its uuid; a short link also by its short code or address. */
export async function findResource(client: Client, resource: Resource, id: string): Promise<Fields> {
  const list = callOf(client, resource.operations.list)
  if (UUID.test(id)) {
    // The list of webhooks is short and has no filter.
    const { data } = await list(resource.name === 'webhook' ? undefined : { uuid: id })
    const found = (data as Fields[]).find(({ uuid }) => uuid === id)
    if (found === undefined) throw notFound(resource, id)
    return found
  }
  if (resource.name !== 'link') throw new FailedCommand(`${id} is not a uuid`)
  const matches: Fields[] = []
  for await (const link of list({ search: id.slice(id.lastIndexOf('/') + 1) }))
    if (link['code'] === id || link['short_url'] === id) matches.push(link)
  const [found, another] = matches
  if (found === undefined) throw notFound(resource, id)
  if (another !== undefined)
    throw new FailedCommand(
      `Several domains have the short code ${id}: name one of ${matches.map((link) => String(link['short_url'])).join(', ')}`,
    )
  return found
}

/** The uuid of a resource. */
export const uuidOf = async (client: Client, resource: Resource, id: string): Promise<string> =>
  UUID.test(id) ? id : String((await findResource(client, resource, id))['uuid'])
