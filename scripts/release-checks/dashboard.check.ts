import { createAccount, newVisitor } from '../../e2e/dashboard/browser.ts'
import { faults, MAX_REQUESTS, queriesOf, requestsWhileFailing } from '../../e2e/dashboard/failing-queries.ts'
import { furnish, furnishLongNames } from '../../e2e/dashboard/furnish.ts'
import { findingsOf, forVisitors, inside, type Look, screenOpener } from '../../e2e/dashboard/screens.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { launchBrowser } from '../services/chromium.ts'
import { printTable } from './table.ts'

/*
 * Every screen in three widths and both themes: axe finds nothing, and nothing is wider than the window. Then every query of
 * every screen fails, once with 503 and once without a response: the screen stays, and retries only a few times.
 * `npm run test:release -- dashboard -- /app/links` checks one screen.
 */

const looks = [390, 768, 1440].flatMap((width): Look[] =>
  (['light', 'dark'] as const).map((theme) => ({ width, height: 900, theme })),
)

/** Most of the time is spent waiting for retries. */
const PAGES_AT_ONCE = 4

const chosen = process.argv.slice(2)
const waymark = await startWaymark()
const browser = await launchBrowser()
const { page: maker } = await newVisitor(browser, { url: waymark.url })
await createAccount(maker)
await maker.goto('/app/')
await furnish(maker)
await furnishLongNames(maker)
const cookies = await maker.context().cookies()
await maker.context().close()

const newPage = async () => {
  const visitor = await newVisitor(browser, { url: waymark.url })
  await visitor.context.addCookies(cookies)
  return visitor
}

const rows: string[][] = []
let isHeld = true
/** Printed immediately as well, because the whole check takes a quarter of an hour. */
const note = (isFine: boolean, row: string[]): void => {
  isHeld &&= isFine
  rows.push(row)
  console.log(isFine ? 'ok    ' : 'FAILED', row.join(' '))
}

const { page: looking, context } = await newPage()
const open = await screenOpener(looking)
for (const path of chosen.length > 0 ? chosen : [...inside, ...forVisitors]) {
  await open(path)
  const findings = await findingsOf(looking, looks)
  note(findings.length === 0, [
    path,
    `${looks.length} looks`,
    '',
    String(findings.length),
    findings.join('; '),
  ])
}
await context.close()

/** Makes every query of the next screens fail, one at a time. */
const failQueries = async (paths: string[]): Promise<void> => {
  const { page, faults: scriptErrors, context: own } = await newPage()
  for (let path = paths.shift(); path !== undefined; path = paths.shift())
    for (const query of await queriesOf(page, path))
      for (const fault of faults) {
        const requests = await requestsWhileFailing(page, path, query, fault).catch(() => Number.NaN)
        const errors = scriptErrors.splice(0)
        const isFine = requests <= MAX_REQUESTS && errors.length === 0
        const what = Number.isNaN(requests) ? 'The screen has no heading' : errors.join('; ')
        note(isFine, [path, query, fault, String(requests), what])
      }
  await own.close()
}
const paths = chosen.length > 0 ? chosen : [...inside]
await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => failQueries(paths)))

await browser.close()
await waymark.stop()
printTable(['screen', 'looked at or failing', 'fault', 'findings or requests', ''], rows)
process.exit(isHeld ? 0 : 1)
