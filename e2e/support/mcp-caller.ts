import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { launchedBy, launcher } from './waymark.ts'

interface Result {
  readonly content: readonly { type: string; text?: string; data?: string; mimeType?: string }[]
  readonly isError?: boolean
}

/** The other end of the pipes of `waymark mcp`, which needs no handshake. */
export class McpCaller {
  readonly child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: { code: number } }) => void>()
  #last = 0

  constructor(url: string, key: { apiKey: string; secret: string }, ...words: string[]) {
    const env = { WAYMARK_URL: url, WAYMARK_API_KEY: key.apiKey, WAYMARK_SECRET: key.secret }
    this.child = spawn(launchedBy, [launcher, 'mcp', ...words], { env: { ...process.env, ...env } })
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { id: number; result?: unknown }
      this.#waiting.get(message.id)?.(message)
    })
  }

  request(method: string, params: object = {}): Promise<{ result?: unknown; error?: { code: number } }> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<{ result?: unknown; error?: { code: number } }>()
    this.#waiting.set(id, resolve)
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise
  }

  async call(name: string, given: object): Promise<Result> {
    return (await this.request('tools/call', { name, arguments: given })).result as Result
  }

  /** The `data` of a response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into freely
  async data(name: string, given: object): Promise<any> {
    const { content, isError } = await this.call(name, given)
    expect([isError, content[0]?.text]).toEqual([undefined, expect.stringMatching(/^\{/)])
    return JSON.parse(content[0]?.text ?? '').data
  }

  async end(): Promise<number> {
    this.child.stdin.end()
    const [code] = (await once(this.child, 'exit')) as [number]
    return code
  }
}
