import { Agent, request } from 'node:http'
import type { Waymark } from './waymark.ts'

export interface Heard {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by tests
  readonly body: any
}

const agent = new Agent({ keepAlive: false })

/** One request by plain means, from an address of this machine if one is named. */
export function call(
  { port }: Pick<Waymark, 'port'>,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; from?: string } = {},
): Promise<Heard> {
  const { headers = {}, body, from } = options
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        ...(from !== undefined && { localAddress: from }),
        headers: {
          host: `localhost:${port}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = response.headers['content-type'] === 'application/json'
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson && text !== '' ? JSON.parse(text) : text,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export const PASSWORD = 'Correct-horse-1'

let people = 0

/** An address that nobody has yet. */
export const newEmail = (): string => `visitor${++people}.${Math.random().toString(36).slice(2)}@example.com`

/** Somebody in front of the dashboard: keeps the cookies that he is given and says where he comes from. */
export class Visitor {
  readonly #waymark: Pick<Waymark, 'port'>
  readonly #from: string | undefined
  readonly #cookies = new Map<string, string>()

  constructor(waymark: Pick<Waymark, 'port'>, from?: string) {
    this.#waymark = waymark
    this.#from = from
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Heard> {
    const answer = await call(this.#waymark, method, path, {
      headers: {
        ...(method === 'POST' && { origin: `http://localhost:${this.#waymark.port}` }),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(this.#from !== undefined && { from: this.#from }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line.split(';', 1).join(''))
    return answer
  }

  /** Every cookie, as a browser sends them. */
  get cookie(): string | undefined {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`)
    return cookies.length === 0 ? undefined : cookies.join('; ')
  }

  set cookie(cookies: string | undefined) {
    this.#cookies.clear()
    for (const cookie of cookies?.split('; ') ?? []) this.#keep(cookie)
  }

  #keep(cookie: string): void {
    const [name = '', ...value] = cookie.split('=')
    this.#cookies.set(name, value.join('='))
  }

  get(path: string): Promise<Heard> {
    return this.call('GET', path)
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Heard> {
    return this.call('POST', path, body, headers)
  }

  signUp(email: string, password = PASSWORD): Promise<Heard> {
    return this.post('/v1/sign-up', { email, password })
  }

  signIn(email: string, password = PASSWORD): Promise<Heard> {
    return this.post('/v1/sign-in', { email, password })
  }
}
