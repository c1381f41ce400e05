import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolOperations } from '../packages/cli/src/mcp/tools.ts'
import { needProgram } from '../scripts/services/programs.ts'
import { jpeg, png } from './support/pictures.ts'
import { post } from './support/requests.ts'
import { type Account, launchedBy, launcher, startWaymark, type Waymark } from './support/waymark.ts'

/*
 * Every shell block of the README and the guides, run as it stands on another port than 3000: the blocks of a page in
 * one shell, in a folder with the files they name, with `waymark` and `npx waymark` in PATH. Blocks that cannot be run here
 * are listed with the reason; commands of other machines are marked as `text` in the guides.
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const PAGES = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

/** First line of a block → why it is not run here. */
const NOT_RUN = new Map([
  ['npm ci && npm start', 'e2e/npm-start.test.ts and `npm run test:release -- installs`'],
  ['npm ci && npm test', 'this is it'],
  ['waymark login --url https://go.example.com', 'another machine; e2e/cli.test.ts logs in'],
  [
    'waymark restore                   # the newest backup in BACKUP_TO',
    'the service runs; e2e/backup.test.ts',
  ],
  [
    'pg_dump --format=custom --exclude-table-data=visitor_salts --file=waymark.dump "$DATABASE_URL"',
    'no pg_dump',
  ],
  ['# the service is stopped', 'e2e/migrate-data.test.ts'],
  ['export BASE_URL=http://localhost:3000   # or the port that you chose', 'placeholders'],
  [
    'waymark webhook create https://example.com/hook --events link.created,link.edited',
    'listens until it is stopped',
  ],
  ["echo 'source <(waymark completion bash)' >> ~/.bashrc", 'changes the shell of the user'],
])

interface Block {
  readonly code: string
  readonly first: string
}

const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(?:sh|bash)[^\n]*\n(.*?)^```$/gms)].map(
    ([, code = '']) => ({ code, first: code.split('\n', 1)[0] ?? '' }),
  )

const runnable = (page: string): Block[] => blocksOf(page).filter(({ first }) => !NOT_RUN.has(first))

let waymark: Waymark
const servers: Waymark[] = []
let folder: string
let bin: string

beforeAll(async () => {
  for (const program of ['bash', 'curl', 'openssl']) await needProgram([program], program)
  folder = await mkdtemp(join(tmpdir(), 'waymark-docs-'))
  bin = join(folder, 'bin')
  await mkdir(bin)
  waymark = await startWaymark({ BACKUP_TO: join(folder, 'backups') })
  servers.push(waymark)
  const command = resolve(root, launcher)
  await writeFile(join(bin, 'waymark'), `#!/bin/sh\nexec '${launchedBy}' '${command}' "$@"\n`)
  await writeFile(join(bin, 'npx'), `#!/bin/sh\n[ "$1" = waymark ] || exit 9\nexec "$@"\n`)
  for (const name of ['waymark', 'npx']) await chmod(join(bin, name), 0o755)
})
afterAll(async () => {
  for (const server of servers) await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A new folder with the files that the blocks name. */
async function workFolder(): Promise<string> {
  const work = await mkdtemp(join(folder, 'work-'))
  const link = 'link,customLink\nhttps://example.com/imported,'
  await writeFile(join(work, 'logo.png'), png(200, 90, 70, 64))
  await writeFile(join(work, 'picture.png'), png(20, 90, 70, 64))
  await writeFile(join(work, 'cover.jpg'), jpeg)
  await writeFile(join(work, 'links.csv'), `${link}imported-${work.slice(-6)}\n`)
  await writeFile(
    join(work, 'dump.sql'),
    "INSERT INTO `yourls_url` VALUES ('ysample','https://example.com/y','Y','2020-01-01 00:00:00','127.0.0.1',3);\n",
  )
  await writeFile(join(work, 'body.json'), '{}')
  return work
}

/** Runs blocks in one shell; returns what they print. */
async function runBlocks(server: Waymark, blocks: readonly Block[], account: Account): Promise<string> {
  const { apiKey, secret } = account
  const work = await workFolder()
  const { PATH = '' } = process.env
  const env = {
    ...server.env,
    PATH: `${bin}:${PATH}`,
    HOME: work,
    BASE_URL: server.url,
    API_KEY: apiKey,
    SECRET: secret,
    WAYMARK_URL: server.url,
    WAYMARK_API_KEY: apiKey,
    WAYMARK_SECRET: secret,
    WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of a webhook').toString('base64')}`,
    WEBHOOK_ID: 'msg_1',
    WEBHOOK_TIMESTAMP: '1700000000',
    BACKUP_TO: join(folder, 'backups'),
  }
  // Names that a reader replaces.
  const code = blocks
    .map((block) => block.code)
    .join('\n')
    .replaceAll('/mnt/', `${work}/`)
    .replaceAll('you@example.com', `you.${work.slice(-6).toLowerCase()}@example.com`)
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', code], { cwd: work, env })
  expect(stdout).not.toMatch(/^\{"error":/m)
  return stdout
}

const WITH_BLOCKS = PAGES.filter((page) => runnable(page).length > 0)
/** Their own test compares what is printed, or runs them in an account of their own. */
const ELSEWHERE = new Set([
  ...['api', 'errors', 'pagination', 'idempotency', 'rate-limits'].map((name) => `docs/${name}.md`), // api-guide.test.ts
  'docs/quickstart.md', // quickstart.test.ts
])

describe('the shell blocks of', () => {
  test.each(WITH_BLOCKS.filter((page) => !ELSEWHERE.has(page) && page !== 'docs/cli.md'))(
    '%s work',
    async (page) => {
      const printed = await runBlocks(waymark, runnable(page), await waymark.account())
      if (page === 'README.md') expect(printed).toContain('"clicks":1,')
    },
  )

  test('docs/cli.md work, with the ids that the commands print', async () => {
    // Its own, because other pages create the same short codes.
    const server = await startWaymark()
    servers.push(server)
    const own = await server.account()
    const create = async (path: string, fields: Record<string, unknown>) =>
      (await post(server, own, path, fields)).body.data.uuid as string
    await create('/v1/generate-link', { link: 'https://example.com/s', customLink: 'summer' })
    const link = await create('/v1/generate-link', { link: 'https://example.com/try' })
    const replaced = runnable('docs/cli.md').map(({ code, first }) => ({
      first,
      code: code
        .replace(
          'waymark page edit UUID',
          `waymark page edit "$(waymark page list --json | grep -oE '"uuid":"[^"]+"' | head -1 | cut -d'"' -f4)"`,
        )
        .replace('--uuid UUID', `--uuid ${link}`)
        .replace(
          'waymark import --run UUID',
          `waymark import --run "$(waymark api imports --json | grep -oE '"uuid":"[^"]+"' | head -1 | cut -d'"' -f4)"`,
        )
        .replace(
          'waymark import links.csv --map',
          String.raw`printf 'Long link,Name\nhttps://example.com/mapped,Mapped\n' > links.csv; waymark import links.csv --map`,
        )
        .replace(
          'waymark import --undo UUID',
          `waymark import --undo "$(waymark api imports --json | grep -oE '"uuid":"[^"]+"' | head -1 | cut -d'"' -f4)"`,
        ),
    }))
    expect(await runBlocks(server, replaced, own)).toContain('spring')
  })

  test('no page names localhost:3000 in a block that runs, except as a default', () => {
    for (const page of WITH_BLOCKS)
      for (const { code } of runnable(page))
        expect(code.replaceAll('${BASE_URL:-http://localhost:3000}', ''), page).not.toContain(
          'localhost:3000',
        )
  })

  test('the list of blocks that are not run has nothing that is gone', () => {
    const all = new Set(PAGES.flatMap((page) => blocksOf(page).map(({ first }) => first)))
    for (const first of NOT_RUN.keys()) expect(all.has(first), first).toBe(true)
  })
})

test('the two structures of pages.md are accepted as they stand', async () => {
  const text = readFileSync(join(root, 'docs/pages.md'), 'utf8')
  const own = await waymark.account()
  for (const name of ['nested', 'form']) {
    const block = new RegExp(`^\`\`\`json ${name}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? ''
    const { status, body } = await post(
      waymark,
      own,
      '/v1/generate-page',
      JSON.parse(block) as Record<string, unknown>,
    )
    expect([name, status, body.errors, body.ignored]).toEqual([name, 201, undefined, undefined])
    expect(body.data.subtitle).toBe('Roasted on Tuesdays')
  }
})

test('packages are never installed by a bare name', () => {
  const texts = [
    ...PAGES,
    'clients/python/README.md',
    'packages/sdk/README.md',
    'deploy/systemd/waymark.service',
  ]
  for (const page of texts) {
    const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```[^\n]*\n(.*?)^```$/gms)].join(
      '\n',
    )
    expect(blocks, page).not.toMatch(/npm (?:i|install|exec) (?:-\S+ )*@?waymark|pip install waymark|"npx"/)
    // Both pages say that the commands run in a clone.
    if (page !== 'README.md' && page !== 'docs/quickstart.md')
      expect(blocks, page).not.toContain('npx waymark')
  }
})

test('mcp.md names every tool that begins with list_', () => {
  const text = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
  const named = new Set([...text.matchAll(/`(list_\w+)`/g)].map(([, name = '']) => name))
  expect([...named].toSorted()).toEqual(
    [...toolOperations.keys()].filter((name) => name.startsWith('list_')).toSorted(),
  )
})
