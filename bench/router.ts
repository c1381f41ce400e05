// What Fastify takes as a router, beside the router alone: processor time per request of a small JSON response.
//
//   npm run -s node bench/router.ts          about half a minute; needs wrk and Linux
//
// Both servers have every path of the table and send the same response. They take turns; the median of the rounds counts.
import { load, median } from './support/load.ts'
import { processorTime } from './support/processor-time.ts'
import { startRouter } from './support/servers.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 2)
const found = new Map<string, number[]>()

for (let round = 0; round < rounds; round++) {
  for (const router of ['fastify', 'find-my-way']) {
    const server = await startRouter(router)
    try {
      const before = processorTime(server.pid).serving
      const { answers } = await load(server.url, { connections: 8, seconds, path: '/v1/links' })
      const each = (processorTime(server.pid).serving - before) / answers
      found.set(router, [...(found.get(router) ?? []), each])
    } finally {
      await server.stop()
    }
  }
}
for (const [router, all] of found) console.log(router.padEnd(12), `${median(all).toFixed(1)} µs`)
