import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations, type OperationName } from '@waymark/contract'
import type { Waymark } from '../e2e/support/waymark.ts'
import { formatted, root } from './clients/generated-files.ts'
import { type ErrorCallers, ErrorRecorder } from './examples/errors.ts'
import { withPlaceholders } from './examples/placeholders.ts'
import { playOnServer, PUBLIC } from './examples/play.ts'

/*
 * Records one call of each operation against a server that is started for it: `npm run generate:examples`. The OpenAPI
 * description and `/docs` show these examples.
 */

const FILE = 'packages/server/src/api/examples.gen.json'

/** Another account for rejected calls: with a key, a read-only key, and a session. */
async function errorCallers(waymark: Waymark): Promise<ErrorCallers> {
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

const startedAtMs = Date.now()
await playOnServer({}, async ({ waymark, recorder, addresses }) => {
  const errors = new ErrorRecorder(await errorCallers(waymark))
  // In the order of the table.
  const ordered: [OperationName, object][] = []
  for (const name of Object.keys(operations) as OperationName[]) {
    const example = recorder.examples.get(name)
    if (example !== undefined)
      ordered.push([name, { ...example, errors: await errors.record(name, example) }])
  }
  const json = withPlaceholders(JSON.stringify(Object.fromEntries(ordered)), { startedAtMs, addresses })
  writeFileSync(join(root, FILE), formatted(FILE, JSON.stringify(JSON.parse(json), null, 2)))
  console.log(`${ordered.length} examples in ${FILE}`)
})
