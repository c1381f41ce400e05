import { createAccount, newVisitor } from '../../e2e/dashboard/browser.ts'
import {
  faults,
  MOST_REQUESTS,
  queriesOf,
  requestsWhileFailing,
} from '../../e2e/dashboard/failing-queries.ts'
import { furnish } from '../../e2e/dashboard/furnish.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { launchBrowser } from '../services/chromium.ts'
import { printTable } from './table.ts'

/*
 * Every query of every screen fails, once with 503 and once without an answer: the screen stays, and asks a few times
 * and not for ever. `npm run test:release -- dashboard -- /app/links` looks at one screen.
 */

const screens = [
  '/app/',
  '/app/links',
  '/app/links?create=true',
  '/app/links/spring',
  '/app/links/routed?view=rules',
  '/app/links/routed?view=variants',
  '/app/links/routed?view=history',
  '/app/statistics',
  '/app/codes',
  '/app/codes?kind=barcode',
  '/app/codes/qr/new',
  '/app/codes/barcode/new',
  '/app/pages',
  '/app/pages/new',
  '/app/utm',
  '/app/trash',
  '/app/settings',
  '/app/settings?tab=security',
  '/app/settings?tab=keys',
  '/app/settings?tab=webhooks',
  '/app/settings?tab=plan',
  '/app/settings?tab=domains',
  '/app/settings?tab=help',
]

const chosen = process.argv.slice(2)
const waymark = await startWaymark()
const browser = await launchBrowser()
const { page, faults: scriptErrors } = await newVisitor(browser, { url: waymark.url })
await createAccount(page)
await page.goto('/app/')
await furnish(page)

const rows: string[][] = []
let isHeld = true
for (const path of chosen.length > 0 ? chosen : screens) {
  for (const query of await queriesOf(page, path)) {
    for (const fault of faults) {
      const requests = await requestsWhileFailing(page, path, query, fault)
      const errors = scriptErrors.splice(0)
      const isFine = requests <= MOST_REQUESTS && errors.length === 0
      isHeld &&= isFine
      rows.push([path, query, fault, String(requests), isFine ? '' : `FAILED ${errors.join('; ')}`])
    }
  }
}
await browser.close()
await waymark.stop()
printTable(['screen', 'query', 'fault', 'requests', ''], rows)
process.exit(isHeld ? 0 : 1)
