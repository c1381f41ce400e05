import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@waymark/sdk'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import { fieldsOf, valueOf } from '../operations/fields.ts'
import { print, type Printed } from '../print.ts'
import { errorLine, FailedCommand, line, type Output, shownJson, UsageError } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

const DEFAULT_PORT = 4040
const MAX_BYTES = 8 * 1024 * 1024

interface Options extends Output {
  readonly port: string
  readonly host: string
  readonly url?: string
  readonly secret?: string
  readonly events?: string
  readonly forward?: string
  readonly count?: string
}

/** waymark webhook listen */
export function addListen(webhook: Command): void {
  const command = webhook
    .command('listen')
    .description('receive webhook deliveries on this machine, verify them and print them')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', String(DEFAULT_PORT))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--url <url>', 'address at which the instance reaches this machine, such as that of a tunnel')
    .option('--secret <secret>', 'secret of an existing webhook, whsec_…; no new one is created')
    .option('--events <list>', 'events to receive, separated by commas')
    .option('--forward <url>', 'forward verified deliveries to this address')
    .option('--count <number>', 'stop after this many verified deliveries')
    .option('--json', 'print one JSON object per delivery, one per line')
  withExamples(command, [
    'waymark webhook listen --url https://my-tunnel.example.com',
    'waymark webhook listen --secret whsec_… --forward http://localhost:8000/hook',
  ]).action((options: Options) => print(options, () => listen(options)))
}

const numberOf = (flag: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${flag} must be a number`)
  return Number(text)
}

/** Listens until it has enough deliveries or is interrupted. Removes a webhook that it has created. */
async function listen(options: Options): Promise<Printed> {
  const wanted = options.count === undefined ? Infinity : numberOf('--count', options.count)
  const client = options.secret === undefined ? await connect() : undefined
  const receiver = new Receiver(options, wanted)
  const url = await receiver.open(numberOf('--port', options.port), options.host)
  let made: Registered | undefined
  try {
    made = client === undefined ? undefined : await register(client, options, url)
    receiver.secret = options.secret ?? made?.secret ?? ''
    process.stderr.write(`Listening on ${url}. Press Ctrl+C to stop.\n`)
    await receiver.ended
  } finally {
    receiver.close()
    if (client !== undefined && made !== undefined)
      await client.removeWebhook({ uuid: made.uuid, permanent: true })
  }
  return { text: '', json: undefined }
}

type Registered = Awaited<ReturnType<typeof register>>

async function register(client: Client, options: Options, url: string) {
  const field = fieldsOf('addWebhook').find(({ name }) => name === 'events')
  const events = field === undefined || options.events === undefined ? null : valueOf(field, options.events)
  const { data } = await client.addWebhook({
    url: options.url ?? url,
    description: 'waymark webhook listen',
    events: events as null,
  })
  return data
}

/** An HTTP server for deliveries. */
class Receiver {
  /** Set after the webhook is created, which requires the port. */
  secret = ''
  readonly ended: Promise<void>
  readonly #options: Options
  readonly #server: Server
  readonly #end: () => void
  #left: number

  constructor(options: Options, wanted: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#options = options
    this.#end = resolve
    this.#left = wanted
    this.#server = createServer((request, response) => void this.#receive(request, response))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  }

  async open(port: number, host: string): Promise<string> {
    try {
      this.#server.listen(port, host)
      await once(this.#server, 'listening')
    } catch (cause) {
      throw new FailedCommand(`--host and --port cannot be used: ${(cause as Error).message}`, { cause })
    }
    const { port: given } = this.#server.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${given}/`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(request)
      const event = await verifyWebhook(this.secret, { headers: request.headers, body })
      if (this.#options.forward !== undefined) await this.#forward(request, body)
      response.writeHead(204).end()
      this.#show(event)
    } catch (error) {
      const isForged = error instanceof WebhookVerificationError
      const reason = error instanceof Error ? error.message : String(error)
      response.writeHead(isForged ? 401 : 502).end()
      process.stderr.write(errorLine(false, `a delivery was rejected: ${reason}`))
    }
  }

  async #forward({ headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<void> {
    const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
    const forwarded = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]))
    const { ok, status } = await fetch(this.#options.forward ?? '', {
      method: 'POST',
      headers: forwarded,
      body,
    })
    if (!ok) throw new Error(`${this.#options.forward} returned ${status}`)
  }

  #show(event: WebhookEvent): void {
    if (this.#left <= 0) return
    const text = this.#options.json === true ? JSON.stringify(event) : lineOf(event)
    process.stdout.write(`${text}\n`)
    if (--this.#left === 0) this.#end()
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BYTES) throw new Error('The body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const lineOf = (event: WebhookEvent): string => {
  const { type, timestamp, data } = event
  return line`${timestamp}  ${type}  ${shownJson(data)}`
}
