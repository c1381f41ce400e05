import { json, sign } from './requests.ts'
import type { Account, Waymark } from './waymark.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CREATE = '/v1/generate-link'
/** Longer than any request may take, whatever is broken: past it, it hangs. */
const HANG_MS = 12_000

/** One request that was answered, or was not. */
export interface Seen {
  readonly kind: 'redirect' | 'create'
  readonly node: number
  /** 0: the connection was cut or refused. -1: no response in time. */
  readonly status: number
  readonly refused: boolean
  readonly retryAfter: string | null
  readonly tookMs: number
}

/** A little traffic on several nodes for as long as a test lasts, with everything that was answered. */
export class Load {
  readonly seen: Seen[] = []
  /** Destinations by short code, of every link that was answered 201. */
  readonly made = new Map<string, string>()
  /** Redirects that visitors got, by code, and visits that ended without an answer. */
  readonly visits = new Map<string, number>()
  cut = 0
  readonly #nodes: readonly Waymark[]
  readonly #account: Account
  readonly #hot: readonly string[]
  readonly #ending = new AbortController()
  readonly #running: Promise<void>[] = []
  #named = 0

  constructor(nodes: readonly Waymark[], account: Account, hot: readonly string[]) {
    this.#nodes = nodes
    this.#account = account
    this.#hot = hot
  }

  start(): void {
    for (const node of this.#nodes.keys()) {
      this.#running.push(this.#repeat(20, () => this.#visit(node)))
      this.#running.push(this.#repeat(100, () => this.#create(node)))
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#running)
  }

  /** What was seen while the work was done. */
  async during(work: () => Promise<void>): Promise<Seen[]> {
    const from = this.seen.length
    await work()
    return this.seen.slice(from)
  }

  async #repeat(pauseMs: number, step: () => Promise<void>): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await step()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  async #visit(node: number): Promise<void> {
    const code = this.#hot[Math.floor(Math.random() * this.#hot.length)] ?? ''
    const status = await this.#timed('redirect', node, (url) =>
      fetch(`${url}/${code}`, {
        redirect: 'manual',
        headers: { 'user-agent': BROWSER },
        signal: AbortSignal.timeout(HANG_MS),
      }),
    )
    if (status === 302) this.visits.set(code, (this.visits.get(code) ?? 0) + 1)
    // Nobody can have counted a visit that nobody listened to.
    if (status <= 0 && this.seen.at(-1)?.refused !== true) this.cut++
  }

  async #create(node: number): Promise<void> {
    const name = `made-${this.#named++}`
    const link = `https://example.com/${name}`
    const { bytes, type, digest } = json({ link, customLink: name })
    const headers = { 'content-type': type, ...sign(this.#account, 'POST', CREATE, digest) }
    const body = new Uint8Array(bytes)
    const status = await this.#timed('create', node, (url) =>
      fetch(url + CREATE, { method: 'POST', headers, body, signal: AbortSignal.timeout(HANG_MS) }),
    )
    if (status === 201) this.made.set(name, link)
  }

  async #timed(kind: Seen['kind'], node: number, ask: (url: string) => Promise<Response>): Promise<number> {
    const startedAt = performance.now()
    const note = (status: number, retryAfter: string | null, refused = false): number => {
      this.seen.push({ kind, node, status, refused, retryAfter, tookMs: performance.now() - startedAt })
      return status
    }
    try {
      const response = await ask(this.#nodes[node]?.url ?? '')
      await response.arrayBuffer()
      return note(response.status, response.headers.get('retry-after'))
    } catch (error) {
      const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
      return note(name === 'TimeoutError' ? -1 : 0, null, cause?.code === 'ECONNREFUSED')
    }
  }
}
