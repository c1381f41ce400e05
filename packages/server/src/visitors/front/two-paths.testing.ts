import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, Server as HttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { vi } from 'vitest'
import type { Click } from '../../clicks/spool/record.ts'
import { Spool } from '../../clicks/spool/spool.ts'
import { openApp } from '../../compose/app.ts'
import { openServices } from '../../compose/services.ts'
import { type Config, readConfig } from '../../config.ts'
import { insertTestUser } from '../../storage/db/testing.ts'
import { Router } from '../router.ts'
import type { StreamTargets } from './byte-streams.testing.ts'

/** After this many turns of the event loop without bytes or running requests, nothing more will come. */
const QUIET_TURNS = 10

/** What a client received for a stream, and the clicks that were counted. */
export interface Seen {
  readonly responses: string
  /** The server closed the connection before the client did. */
  readonly isClosedByServer: boolean
  readonly clicks: readonly Click[]
}

export interface TwoPaths {
  readonly targets: StreamTargets
  throughFront(chunks: readonly Buffer[]): Promise<Seen>
  throughHttp(chunks: readonly Buffer[]): Promise<Seen>
  close(): Promise<void>
}

/** One server with two ports: through the front, and directly to node:http. */
export async function openTwoPaths(settings: Record<string, string>): Promise<TwoPaths> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-front-'))
  const roomy = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' }
  const config = readConfig({ DATA_DIR: dataDir, PORT: '3999', ...roomy, ...settings })
  const log: Logger = pino({ level: 'silent' })
  await fillLinks(config, log)
  const app = await openApp(config, log)
  const ran = vi.spyOn(Router.prototype, 'run')
  const isBusy = watchWork(app.http, () =>
    ran.mock.settledResults.flatMap(({ type }, at) =>
      type === 'incomplete' ? (ran.mock.calls[at]?.[1].request ?? []) : [],
    ),
  )
  await app.http.ready()
  const http = app.http.server
  const [toHttp] = new HttpServer().listeners('connection') as ((socket: Socket) => void)[]
  const direct = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => toHttp?.call(http, socket))
  const [frontPort, httpPort] = [await listen(http), await listen(direct)]
  const appended = vi.spyOn(Spool.prototype, 'append')
  const through = async (port: number, chunks: readonly Buffer[]): Promise<Seen> => {
    appended.mockClear()
    ran.mockClear()
    const heard = await converse(port, chunks, isBusy)
    const clicks = appended.mock.calls.map(([click]) => ({ ...click, atMs: 0 }))
    // Links that need more than a redirect count later than others, on both paths.
    return { ...heard, clicks: clicks.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }
  }
  return {
    targets: TARGETS,
    throughFront: (chunks) => through(frontPort, chunks),
    throughHttp: (chunks) => through(httpPort, chunks),
    async close() {
      appended.mockRestore()
      ran.mockRestore()
      direct.close()
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const CUSTOM_DOMAIN = 'go.example.org'
const LONG = 'L'.repeat(64)
const TARGETS: StreamTargets = {
  codes: [
    'plain',
    'plain',
    'x',
    LONG,
    'moved',
    'kept',
    'expired',
    'removed',
    'secret',
    'few',
    'phones',
    'ruled',
    'split',
    'forwards',
    'shared',
    'guide',
    'lockedguide',
    'early',
    'app',
    'v1',
    'unknown',
  ],
  postable: ['plain', 'moved', 'expired', 'removed', 'few', 'phones', 'unknown'],
  hosts: [
    'localhost:3999',
    'localhost',
    '127.0.0.1',
    CUSTOM_DOMAIN,
    `${CUSTOM_DOMAIN.toUpperCase()}.:80`,
    'stranger.example',
  ],
}

async function fillLinks(config: Config, log: Logger): Promise<void> {
  const { core, modules, close } = await openServices(config, log)
  const user = await insertTestUser(core.db)
  await modules.domains.service.addVerified(CUSTOM_DOMAIN, user)
  const landing = { not_found_url: 'https://example.org/unknown', brand_name: 'Example' }
  await modules.domains.settings.edit(user, { name: CUSTOM_DOMAIN, ...landing }, undefined)
  const link = (customLink: string, fields: object = {}) =>
    modules.links.service.create(user, {
      link: `https://example.com/${customLink}?a=b#c`,
      customLink,
      ...fields,
    })
  for (const code of ['plain', 'x', LONG]) await link(code)
  await link('plain', { domain: CUSTOM_DOMAIN, link: 'https://example.org/of-the-domain' })
  await link('moved', { redirect: 301 })
  await link('kept', { redirect: 308 })
  await link('secret', { password: 'open' })
  await link('few', { max_clicks: 1_000_000_000 })
  await link('phones', { ios_url: 'https://example.com/ios', android_url: 'https://example.com/android' })
  const to = (name: string): string => `https://example.com/to-${name}?a=own#c`
  await link('ruled', {
    forward_query: true,
    rules: [
      { if: { query: ['y= z'] }, to: to('query') },
      { if: { language: ['en'], device: ['mobile'] }, to: to('language') },
      { if: { referrer: ['example.org'] }, to: to('referrer') },
      { if: { browser: ['chrome'], os: ['Linux'], country: ['DE'] }, to: to('country') },
    ],
  })
  await link('split', {
    variants: [
      { url: to('a'), weight: 1, name: 'A' },
      { url: to('b'), weight: 1, name: 'Größer' },
    ],
  })
  await link('forwards', { forward_query: true })
  await link('shared', { preview: { title: 'A <card>', description: 'of a link' } })
  await link('guide', { forward_path: true, forward_query: true, link: 'https://example.com/docs/?a=own#c' })
  await link('lockedguide', { forward_path: true, password: 'open' })
  await link('early', { starts_at: Date.UTC(2099, 0) })
  const removed = await link('removed')
  const expired = await link('expired')
  await core.db.write(() =>
    core.db.sql.updateTable('links').set({ expires_at: 1 }).where('uuid', '=', expired.uuid).execute(),
  )
  await modules.links.service.owned.remove(user, { uuid: removed.uuid })
  await close()
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Whether the server is working rather than waiting for the client. */
function watchWork(app: FastifyInstance, routed: () => IncomingMessage[]): () => boolean {
  const requests = new Set<IncomingMessage>()
  const note = (request: IncomingMessage, response: ServerResponse): void => {
    requests.add(request)
    response.once('close', () => requests.delete(request))
  }
  app.server.on('request', note).on('checkContinue', note)
  return () =>
    // A GET gets its response without its body, so one that waits for its body does not count.
    [...requests].some(
      ({ complete, method, socket }) => (complete || method === 'GET') && !socket.destroyed,
    ) ||
    // A route continues with a visit whose connection was closed, and may count its click.
    routed().some(({ complete, method, socket }) => complete || method !== 'POST' || socket.destroyed)
}

/** Sends the chunks one by one, waits for all responses, and then half-closes the connection. */
async function converse(
  port: number,
  chunks: readonly Buffer[],
  isBusy: () => boolean,
): Promise<Omit<Seen, 'clicks'>> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  await once(socket, 'connect')
  let heard = ''
  let isClosed = false
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
  socket.on('end', () => (isClosed = true))
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
    })
  })
  socket.on('error', () => undefined)
  const quiet = async (): Promise<void> => {
    for (let turns = 0, length = heard.length; turns < QUIET_TURNS; turns++) {
      await turn()
      if (isBusy() || heard.length !== length) turns = 0
      length = heard.length
    }
  }
  for (const chunk of chunks) {
    if (isClosed) break
    socket.write(chunk)
    await quiet()
  }
  await quiet()
  const isClosedByServer = isClosed
  socket.end()
  await closed
  await quiet()
  return { responses: comparable(heard), isClosedByServer }
}

/** Removes parts that differ between responses. */
function comparable(responses: string): string {
  return responses
    .replaceAll(/^(Date|x-request-id|x-ratelimit-remaining): .*$/gim, '$1: …')
    .replaceAll(/"request_id":"[^"]*"/g, '"request_id":"…"')
}
