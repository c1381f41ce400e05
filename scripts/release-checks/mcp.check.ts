import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode } from '../../e2e/support/decode.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { printTable } from './table.ts'

/*
 * `waymark mcp` with the official client library of the Model Context Protocol: handshake, tools with their schemas and hints,
 * a call of each kind, a picture, and the error of a read-only key. The library is installed only for this check, because it
 * has 97 other packages.
 */

const LIBRARY = '@modelcontextprotocol/sdk@1.32.2'

/** Connects twice, with a key of each scope, and records the results. */
const PROGRAM = `import { writeFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'

const { node, launcher, url, keys } = JSON.parse(process.env.SETTINGS)
const connect = async ({ apiKey, secret }) => {
  const env = { PATH: process.env.PATH, WAYMARK_URL: url, WAYMARK_API_KEY: apiKey, WAYMARK_SECRET: secret }
  const client = new Client({ name: 'check', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: node, args: [launcher, 'mcp'], env }))
  return client
}
const writing = await connect(keys.write)
const { tools } = await writing.listTools()
const validator = new AjvJsonSchemaValidator()
const compiled = tools.filter(({ inputSchema }) => typeof validator.getValidator(inputSchema) === 'function').length
const call = (client, name, given) => client.callTool({ name, arguments: given })
const made = await call(writing, 'generate_link', { link: 'https://example.com/official', customLink: 'official' })
const listed = await call(writing, 'list_links', { search: 'official' })
const qr = await call(writing, 'generate_qr', { url: 'https://example.com/official', pattern: 'squares' })
const wrong = await call(writing, 'generate_link', { link: 'nonsense' })
await writing.ping()
const version = writing.getServerVersion()
await writing.close()
const reading = await connect(keys.read)
const refused = await call(reading, 'remove_links', { uuid: JSON.parse(made.content[0].text).data.uuid })
const read = await call(reading, 'list_links', {})
await reading.close()
await writeFile('seen.json', JSON.stringify({ version, tools, compiled, made, listed, qr, wrong, refused, read }))
`

interface Result {
  readonly content: readonly { type: string; text?: string; data?: string; mimeType?: string }[]
  readonly isError?: boolean
}

interface Seen extends Record<'made' | 'listed' | 'qr' | 'wrong' | 'refused' | 'read', Result> {
  readonly version: { name: string }
  readonly compiled: number
  readonly tools: readonly {
    name: string
    annotations: { readOnlyHint: boolean; destructiveHint: boolean }
  }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-mcp-'))
const waymark = await startWaymark()
const rows: string[][] = []
const problems: string[] = []
const expect = (what: string, isRight: boolean, found: unknown): void => {
  rows.push([what, String(found).replaceAll('\n', ' ').slice(0, 90), isRight ? 'yes' : 'NO'])
  if (!isRight) problems.push(what)
}

async function see(): Promise<Seen> {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await writeFile(join(folder, 'program.js'), PROGRAM)
  const words = ['install', '--no-save', '--no-audit', '--ignore-scripts', LIBRARY]
  execFileSync('npm', words, { cwd: folder, stdio: 'inherit' })
  const account = await waymark.account()
  const { stdout } = await waymark.cli('key', 'create', '--email', account.email, '--scope', 'read', '--json')
  const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
  const settings = {
    node: process.execPath,
    launcher: join(root, 'packages/server/bin/waymark.mjs'),
    url: waymark.url,
    keys: { write: account, read: { apiKey, secret } },
  }
  const env = { ...process.env, SETTINGS: JSON.stringify(settings) }
  execFileSync(process.execPath, ['program.js'], { cwd: folder, stdio: 'inherit', env })
  return JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8')) as Seen
}

try {
  const seen = await see()
  const { tools } = seen
  const hintsOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations
  const textOf = ({ content }: Result): string => content[0]?.text ?? ''
  expect('the handshake names the server', seen.version.name === 'waymark', seen.version.name)
  expect(
    'schemas compile',
    seen.compiled === tools.length && tools.length > 45,
    `${seen.compiled} of ${tools.length}`,
  )
  expect('list_links is read-only', hintsOf('list_links')?.readOnlyHint === true, '')
  expect('remove_links is destructive', hintsOf('remove_links')?.destructiveHint === true, '')
  expect('a link is created', textOf(seen.made).includes('"code":"official"'), textOf(seen.made))
  expect('it is listed', textOf(seen.listed).includes('"code":"official"'), textOf(seen.listed))
  const picture = seen.qr.content[1]
  const encoded = await decode(Buffer.from(picture?.data ?? '', 'base64'))
  expect('a QR code is an image that scans', encoded === 'https://example.com/official', encoded)
  expect('an invalid field is explained', seen.wrong.isError === true, textOf(seen.wrong))
  const isExplained = seen.refused.isError === true && textOf(seen.refused).includes('scope write')
  expect('a read-only key is explained', isExplained, textOf(seen.refused))
  expect('a read-only key reads', textOf(seen.read).includes('"code":"official"'), textOf(seen.read))
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
printTable(['with the official client', 'seen', 'holds'], rows)
for (const problem of problems) console.error(`\nFAILED: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
