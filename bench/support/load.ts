import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'

/** What a browser sends when a visitor follows a link. */
const BROWSER_HEADERS = [
  `User-Agent: ${BROWSER}`,
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language: en-US,en;q=0.5',
  'Accept-Encoding: gzip, deflate, br',
  'Upgrade-Insecure-Requests: 1',
  'Sec-Fetch-Dest: document',
  'Sec-Fetch-Mode: navigate',
  'Sec-Fetch-Site: cross-site',
]

export interface LoadResult {
  readonly perSecond: number
  readonly p99Ms: number
  /** Responses the generator received. */
  readonly answers: number
  readonly errors: number
}

export interface Load {
  readonly connections: number
  readonly seconds: number
  /** A path, or a wrk script that makes one for every request. */
  readonly path: string
  readonly script?: string
  /** Lines beside those of a browser. */
  readonly headers?: readonly string[]
}

/**
 * Every request another link: strides over all of them, so that neighbours in time are far apart on disk. `begin`
 * goes on where an earlier round stopped.
 */
export function everyLinkScript(links: number, begin: number): string {
  const path = join(tmpdir(), `waymark-bench-${process.pid}.lua`)
  writeFileSync(
    path,
    `local number = ${begin}
request = function()
  number = (number + 7919) % ${links}
  return wrk.format("GET", string.format("/b%07d", number))
end
`,
  )
  return path
}

/** One thread of wrk: it takes a fraction of what a server in JavaScript takes, and so leaves it its core. */
export async function load(
  base: string,
  { connections, seconds, path, script, headers = [] }: Load,
): Promise<LoadResult> {
  const lines = [...BROWSER_HEADERS, ...headers].flatMap((line) => ['-H', line])
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...lines]
  if (script !== undefined) args.push('-s', script)
  const { stdout } = await run('wrk', [...args, base + path]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('This needs wrk (Debian: apt install wrk)') : error
  })
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0)
  return {
    perSecond: number(/^Requests\/sec:\s+([\d.]+)/m),
    p99Ms: toMs(/^\s+99%\s+(\S+)/m.exec(stdout)?.[1] ?? ''),
    answers: number(/^\s+(\d+) requests in/m),
    errors: number(/Socket errors: .*read (\d+)/m) + number(/Non-2xx or 3xx responses: (\d+)/m),
  }
}

function toMs(text: string): number {
  const [, value, unit = 'ms'] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? []
  return Number(value) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'us' | 'ms' | 's']
}

/** Exactly this many requests, each waited for: how many were redirected is then known to the last one. */
export async function exactly(url: string, requests: number, connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let begun = 0
  let redirected = 0
  const client = async (): Promise<void> => {
    while (begun++ < requests) {
      const request = get(url, { agent, headers: { 'user-agent': BROWSER } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      if (Math.floor((response.statusCode ?? 0) / 100) === 3) redirected++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return redirected
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
