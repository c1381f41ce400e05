import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openCounting } from '../clicks/counting/open-counting.ts'
import { openSpool } from '../clicks/spool/open-spool.ts'
import type { Idempotency } from '../api/steps/idempotency.ts'
import type { Core } from '../modules/module.ts'
import { clientOf, noteClient } from '../net/client.ts'
import { createAddressReader } from '../net/client-address.ts'
import { newRequestId } from '../storage/db/ids.ts'
import { createMetrics } from '../work/metrics.ts'
import { openApi } from './api.ts'
import type { Modules } from './modules.ts'
import { openPassedVisits } from './passed-visits.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload?: string
}

interface Answer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The API half of a service on a port of its own, as if every request had passed the visitors' half. */
export async function serveApiForTest(core: Core, modules: Modules, idempotency: Idempotency) {
  const { config, log, closing } = core
  const addressOf = (asked: object): string => clientOf(asked).address
  const spool = openSpool(config, randomUUID(), log)
  const ingest = openCounting(config, [spool.owner], log, modules.analytics.live)
  closing.defer(async () => {
    spool.close()
    await ingest.stop()
    spool.release()
  })
  const visits = openPassedVisits(core, modules, { spool, addressOf, accessLog: undefined })
  const api = await openApi(core, {
    modules,
    visits,
    clicks: { spool, ingest },
    idempotency,
    metrics: createMetrics(),
    addressOf,
    accessLog: undefined,
    channel: undefined,
  })
  await api.ready()
  const readAddress = createAddressReader(config.trustProxy)
  const server = createServer((asked, response) => {
    noteClient(asked, { address: readAddress(asked), requestId: newRequestId() })
    api.handle(asked, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async ask({ method, url, headers, payload }: Asked): Promise<Answer> {
      const sent = request({ port, host: '127.0.0.1', method, path: url, headers, agent: false })
      sent.end(payload)
      const [response] = await once(sent, 'response')
      return { statusCode: response.statusCode, headers: response.headers, body: await text(response) }
    },
  }
}
