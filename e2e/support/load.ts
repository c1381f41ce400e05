import { Agent, get } from 'node:http'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'

export interface Load {
  /** Redirects whose answer arrived whole. */
  answered(): number
  /** The same by destination. */
  respondedBy(): ReadonlyMap<string, number>
  /** Requests that were sent and not answered when the connection broke. */
  broken(): number
  /** Responses that were no redirect. */
  refused(): number
  /** Sends no more; resolves when nothing is under way. */
  stop(): Promise<void>
}

/** So many visitors take turns: a link with variants shows each of them one. */
const VISITORS = 40

/** Visits addresses over kept connections, each with one request under way at all times, until it is stopped. */
export function startLoad(urls: readonly string[], connections = 16): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const counts = { answered: 0, broken: 0, refused: 0 }
  const destinations = new Map<string, number>()
  const stopping = new AbortController()
  let next = 0

  const visit = (): Promise<boolean> =>
    new Promise((resolve) => {
      const url = urls[next++ % urls.length] ?? ''
      const headers = { 'user-agent': `${BROWSER} Visitor/${next % VISITORS}` }
      const request = get(url, { agent, headers }, (response) => {
        const { location = '' } = response.headers
        if (response.statusCode === 302) {
          counts.answered++
          destinations.set(location, (destinations.get(location) ?? 0) + 1)
        } else counts.refused++
        response.resume()
        response.once('close', () => resolve(response.headers.connection !== 'close'))
      })
      request.once('error', (error: NodeJS.ErrnoException) => {
        // A connection that was never made carried nothing.
        if (error.code !== 'ECONNREFUSED') counts.broken++
        setTimeout(() => resolve(true), 20)
      })
    })
  // A server that ends its connections is about to end itself: a polite client goes elsewhere.
  const loops = Array.from({ length: connections }, async () => {
    while (!stopping.signal.aborted && (await visit()));
  })

  return {
    answered: () => counts.answered,
    respondedBy: () => destinations,
    broken: () => counts.broken,
    refused: () => counts.refused,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      agent.destroy()
    },
  }
}
