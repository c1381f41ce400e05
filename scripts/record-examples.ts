import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type OperationName } from '@waymark/contract'
import { openMailbox } from '../e2e/support/mailbox.ts'
import { openReceiver } from '../e2e/support/receiver.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { CLIENT, openProvider } from './services/openid-provider.ts'
import { formatted, root } from './clients/generated-files.ts'
import { type ErrorCallers, ErrorRecorder } from './examples/errors.ts'
import { withPlaceholders } from './examples/placeholders.ts'
import { Recorder } from './examples/recorder.ts'
import { playScenario } from './examples/scenario.ts'

/*
 * Records one call of each operation against a server that is started for it: `npm run generate:examples`. The OpenAPI
 * description and `/docs` show these examples.
 */

const PUBLIC = 'https://go.example.com'
const FILE = 'packages/server/src/api/examples.json'

const dataDir = await mkdtemp(join(tmpdir(), 'waymark-examples-'))
const [mailbox, receiver] = await Promise.all([openMailbox(), openReceiver()])
const provider = await openProvider()
provider.allow(PUBLIC)
const startedAtMs = Date.now()
const waymark = await startWaymark({
  DATA_DIR: dataDir,
  BASE_URL: PUBLIC,
  SMTP_URL: mailbox.url,
  WEBHOOK_ALLOW_PRIVATE: 'on',
  ...CLIENT,
  OIDC_ISSUER: provider.issuer,
  OIDC_NAME: 'Example ID',
})
/** Another account for rejected calls: with a key, a read-only key, and a session. */
const errorCallers = async (): Promise<ErrorCallers> => {
  const [email, password] = ['grace@example.com', 'Correct-horse-9']
  const keyOf = async (...options: string[]) => {
    const { stdout } = await waymark.cli('key', 'create', '--email', email, ...options, '--json')
    const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
    return { apiKey, secret }
  }
  await waymark.cli('user', 'create', '--email', email, '--password', password)
  const signedIn = await fetch(`${waymark.url}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC },
    body: JSON.stringify({ email, password }),
  })
  return {
    url: waymark.url,
    origin: PUBLIC,
    email,
    key: await keyOf(),
    readOnlyKey: await keyOf('--scope', 'read'),
    cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  }
}

try {
  const recorder = new Recorder(waymark.url, PUBLIC)
  const { url } = waymark
  const cli = (...words: string[]) => waymark.cli(...words)
  const receiverUrl = `${receiver.url}/waymark`
  await playScenario(recorder, { url, receiverUrl, mails: mailbox.mails, provider, cli })
  const missing = Object.keys(operations).filter((name) => !recorder.examples.has(name as OperationName))
  if (missing.length > 0) throw new Error(`scripts/examples/scenario.ts does not call ${missing.join(', ')}`)
  // In the order of the table.
  const errors = new ErrorRecorder(await errorCallers())
  const ordered: [OperationName, object][] = []
  for (const name of Object.keys(operations) as OperationName[]) {
    const example = recorder.examples.get(name)
    if (example !== undefined)
      ordered.push([name, { ...example, errors: await errors.record(name, example) }])
  }
  const json = withPlaceholders(JSON.stringify(Object.fromEntries(ordered)), {
    startedAtMs,
    addresses: {
      [receiverUrl]: 'https://example.com/waymark',
      [provider.issuer]: 'https://id.example.com',
      [url]: PUBLIC,
    },
  })
  writeFileSync(join(root, FILE), formatted(FILE, JSON.stringify(JSON.parse(json), null, 2)))
  console.log(`${ordered.length} examples in ${FILE}`)
} finally {
  await waymark.stop()
  receiver.close()
  provider.close()
  await mailbox.close()
  rmSync(dataDir, { recursive: true, force: true })
}
