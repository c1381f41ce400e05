// A server that knows the redirect alone and remembers nothing: every request is looked up in the database.
import { createServer } from 'node:http'
import { openDatabase } from '../../packages/server/src/storage/db/open.ts'
import { Spool } from '../../packages/server/src/clicks/spool/spool.ts'
import { testTools } from '../../packages/server/src/visitors/links/target.testing.ts'
import { openLookup } from '../../packages/server/src/visitors/links/open-lookup.ts'
import { PlainVisits } from '../../packages/server/src/visitors/links/plain-visits.ts'
import { createRedirector } from '../../packages/server/src/visitors/links/redirector.ts'
import { TargetFinder } from '../../packages/server/src/visitors/links/target-finder.ts'
import { createHostNotices } from '../../packages/server/src/visitors/notices/host-notices.ts'
import type { PassOn } from '../../packages/server/src/visitors/site.ts'

const dataDir = process.env['DATA_DIR'] ?? ''
const db = await openDatabase({ url: undefined, dataDir })
const nothing = { maxEntries: 2, maxBytes: 1, ttlMs: 0 }
const clicks = new Spool({ folder: `${dataDir}/bench-spool`, owner: crypto.randomUUID() })
const redirector = createRedirector({
  targets: new TargetFinder(
    openLookup(db, () => '', testTools),
    { found: nothing, missing: nothing },
  ),
  visits: new PlainVisits({ clicks, notices: createHostNotices(() => undefined), now: Date.now }),
  clicks,
  isRouted: () => false,
  domainOf: () => '',
  addressOf: (request) => request.socket.remoteAddress ?? '',
})

const notFound: PassOn = (_request, response) => response.writeHead(404).end()

createServer((request, response) => {
  if (!redirector.handle(request, response, notFound)) notFound(request, response)
}).listen(Number(process.env['PORT']), '127.0.0.1')

process.on('SIGTERM', () => process.exit(0))
