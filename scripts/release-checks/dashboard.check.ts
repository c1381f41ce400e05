import { createAccount, newVisitor } from '../../e2e/dashboard/browser.ts'
import {
  faults,
  MOST_REQUESTS,
  queriesOf,
  requestsWhileFailing,
} from '../../e2e/dashboard/failing-queries.ts'
import { furnish, furnishLongNames } from '../../e2e/dashboard/furnish.ts'
import { findingsOf, forVisitors, inside, type Look, screenOpener } from '../../e2e/dashboard/screens.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { launchBrowser } from '../services/chromium.ts'
import { printTable } from './table.ts'

/*
 * Every screen in three widths and both themes: axe finds nothing, and nothing is wider than the window. Then every query
 * of every screen fails, once with 503 and once without an answer: the screen stays, and asks a few times and not for
 * ever. `npm run test:release -- dashboard -- /app/links` looks at one screen.
 */

const looks = [390, 768, 1440].flatMap((width): Look[] =>
  (['light', 'dark'] as const).map((theme) => ({ width, height: 900, theme })),
)

const chosen = process.argv.slice(2)
const waymark = await startWaymark()
const browser = await launchBrowser()
const { page, faults: scriptErrors } = await newVisitor(browser, { url: waymark.url })
await createAccount(page)
await page.goto('/app/')
await furnish(page)
await furnishLongNames(page)

const rows: string[][] = []
let isHeld = true
const { page: looking } = await newVisitor(browser, { url: waymark.url })
await looking.context().addCookies(await page.context().cookies())
const open = await screenOpener(looking)
for (const path of chosen.length > 0 ? chosen : [...inside, ...forVisitors]) {
  await open(path)
  const findings = await findingsOf(looking, looks)
  isHeld &&= findings.length === 0
  rows.push([path, `${looks.length} looks`, '', String(findings.length), findings.join('; ')])
}
await looking.context().close()
for (const path of chosen.length > 0 ? chosen : inside) {
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
printTable(['screen', 'looked at or failing', 'fault', 'findings or requests', ''], rows)
process.exit(isHeld ? 0 : 1)
