import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '../../packages/sdk/src/index.ts'
import { operations, type Operation, type OperationName, returnsBytes } from '@waymark/contract'
import type { OperationExample } from '../../packages/server/src/api/examples.ts'

/** Calls operations of a running server and records requests and responses. */
export class Recorder {
  readonly examples = new Map<OperationName, OperationExample>()
  readonly #url: string
  readonly #origin: string
  readonly #cookies = new Map<string, string>()
  #response: { status: number; text: string } | undefined
  #byKey: Client | undefined
  readonly #bySession: Client

  /** `origin` is the public address of the server. */
  constructor(url: string, origin: string) {
    this.#url = url
    this.#origin = origin
    this.#bySession = createClient({ baseUrl: url, session: true, fetch: this.#fetch, retries: 0 })
  }

  useKey(apiKey: string, secret: string): void {
    this.#byKey = createClient({ baseUrl: this.#url, apiKey, secret, fetch: this.#fetch, retries: 0 })
  }

  /** Makes a call and records it as the example of its operation. Returns `data` of the response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into freely
  async record(name: OperationName, input: Record<string, unknown> = {}): Promise<any> {
    const response = await this.call(name, input)
    const operation: Operation = operations[name]
    const text = this.#response?.text ?? ''
    const recorded =
      operation.returns === 'csv' ? text : returnsBytes(operation) ? undefined : (JSON.parse(text) as unknown)
    this.#keep(name, input, this.#response?.status ?? 0, recorded)
    return response
  }

  /** Opens a stream of events and records the first one, which `act` causes. */
  async recordStream(
    name: 'live',
    input: Record<string, unknown>,
    act: () => Promise<unknown>,
  ): Promise<void> {
    const stream = this.#byKey?.[name](input)[Symbol.asyncIterator]()
    const first = stream?.next()
    // The server sends nothing until something happens, so repeat until the stream has an event.
    for (;;) {
      await act()
      const event = await Promise.race([first, sleep(200)])
      if (event === undefined) continue
      await stream?.return?.()
      return this.#keep(name, input, 200, event.value)
    }
  }

  #keep(name: OperationName, input: Record<string, unknown>, status: number, response: unknown): void {
    const files = Object.keys(input).filter((field) => input[field] instanceof File)
    const shown = Object.fromEntries(
      Object.entries(input).map(([field, value]) => [field, value instanceof File ? value.name : value]),
    )
    const isEmpty = Object.keys(input).length === 0
    this.examples.set(name, {
      ...(operations[name].method === 'GET' ? (isEmpty ? {} : { query: shown }) : { body: shown }),
      ...(files.length === 0 ? {} : { files }),
      status,
      ...(response === undefined ? {} : { response }),
    })
  }

  /** Makes a call without recording it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  async call(name: OperationName, input: Record<string, unknown> = {}): Promise<any> {
    const { auth }: Operation = operations[name]
    const client = auth === 'key' || auth === 'signed' ? this.#byKey : this.#bySession
    const method = (client as unknown as Record<string, (input: object) => Promise<unknown>>)[name]
    const response = await method?.(input)
    return (response as { data?: unknown } | undefined)?.data ?? response
  }

  readonly #fetch: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    if (!headers.has('x-api-key')) {
      headers.set('origin', this.#origin)
      const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`)
      if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    }
    const response = await fetch(url, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1).join('').split(/=(.*)/s)
      this.#cookies.set(name, value)
    }
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) return response
    const bytes = await response.arrayBuffer()
    const { status } = response
    this.#response = { status, text: new TextDecoder().decode(bytes) }
    return new Response(bytes, { status, headers: response.headers })
  }
}
