import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type OperationName } from '@waymark/contract'
import { openMailbox } from '../e2e/support/mailbox.ts'
import { openReceiver } from '../e2e/support/receiver.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { formatted, root } from './clients/generated-files.ts'
import { withPlaceholders } from './examples/placeholders.ts'
import { Recorder } from './examples/recorder.ts'
import { playScenario } from './examples/scenario.ts'

/*
 * Records one call of each operation against a server that is started for it: `npm run generate:examples`. The OpenAPI
 * description and `/docs` show what is recorded here.
 */

const PUBLIC = 'https://go.example.com'
const FILE = 'packages/server/src/api/examples.json'

const dataDir = await mkdtemp(join(tmpdir(), 'waymark-examples-'))
const [mailbox, receiver] = await Promise.all([openMailbox(), openReceiver()])
const startedAtMs = Date.now()
const waymark = await startWaymark({
  DATA_DIR: dataDir,
  BASE_URL: PUBLIC,
  SMTP_URL: mailbox.url,
  WEBHOOK_ALLOW_PRIVATE: 'on',
})
try {
  const recorder = new Recorder(waymark.url, PUBLIC)
  const { url } = waymark
  const cli = (...words: string[]) => waymark.cli(...words)
  const receiverUrl = `${receiver.url}/waymark`
  await playScenario(recorder, { url, receiverUrl, mails: mailbox.mails, cli })
  const missing = Object.keys(operations).filter((name) => !recorder.examples.has(name as OperationName))
  if (missing.length > 0) throw new Error(`scripts/examples/scenario.ts does not call ${missing.join(', ')}`)
  // In the order of the table.
  const ordered = Object.keys(operations).map((name) => [name, recorder.examples.get(name as OperationName)])
  const json = withPlaceholders(JSON.stringify(Object.fromEntries(ordered)), {
    startedAtMs,
    addresses: { [receiverUrl]: 'https://example.com/waymark', [url]: PUBLIC },
  })
  writeFileSync(join(root, FILE), formatted(FILE, JSON.stringify(JSON.parse(json), null, 2)))
  console.log(`${ordered.length} examples in ${FILE}`)
} finally {
  await waymark.stop()
  receiver.close()
  await mailbox.close()
  rmSync(dataDir, { recursive: true, force: true })
}
