import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decode } from './support/decode.ts'
import { type Account, launchedBy, launcher, runCli, startWaymark, type Waymark } from './support/waymark.ts'

/*
 * `waymark mcp` as a program on the other end of its pipes sees it. `npm run test:release -- mcp` does the same with the
 * official client library.
 */

interface Result {
  readonly content: readonly { type: string; text?: string; data?: string; mimeType?: string }[]
  readonly isError?: boolean
}

let waymark: Waymark
let account: Account
let folder: string

beforeAll(async () => {
  waymark = await startWaymark()
  account = await waymark.account()
  folder = await mkdtemp(join(tmpdir(), 'waymark-mcp-'))
})
afterAll(async () => {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A caller of `waymark mcp`, past the handshake. */
class Caller {
  readonly child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: { code: number } }) => void>()
  #last = 0

  constructor(key: { apiKey: string; secret: string }, ...words: string[]) {
    const env = { WAYMARK_URL: waymark.url, WAYMARK_API_KEY: key.apiKey, WAYMARK_SECRET: key.secret }
    this.child = spawn(launchedBy, [launcher, 'mcp', ...words], { env: { ...process.env, ...env } })
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { id: number; result?: unknown }
      this.#waiting.get(message.id)?.(message)
    })
  }

  request(method: string, params: object = {}): Promise<{ result?: unknown; error?: { code: number } }> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<{ result?: unknown; error?: { code: number } }>()
    this.#waiting.set(id, resolve)
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise
  }

  async call(name: string, given: object): Promise<Result> {
    return (await this.request('tools/call', { name, arguments: given })).result as Result
  }

  /** The `data` of a response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into freely
  async data(name: string, given: object): Promise<any> {
    const { content, isError } = await this.call(name, given)
    expect([isError, content[0]?.text]).toEqual([undefined, expect.stringMatching(/^\{/)])
    return JSON.parse(content[0]?.text ?? '').data
  }

  async end(): Promise<number> {
    this.child.stdin.end()
    const [code] = (await once(this.child, 'exit')) as [number]
    return code
  }
}

it('offers every operation as a tool, signs calls and returns pictures', async () => {
  const caller = new Caller(account)
  const { result } = await caller.request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'waymark' } })
  const { tools } = (await caller.request('tools/list')).result as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['generate_link', 'list_links', 'generate_qr']),
  )

  const link = await caller.data('generate_link', { link: 'https://example.com/agents', tags: ['mcp'] })
  expect(await caller.data('list_links', { tag: 'mcp' })).toEqual([link])
  const edited = await caller.data('edit_links', { uuid: link.uuid, link: link.link, title: 'From a tool' })
  const changed = await caller.data('change_link', { uuid: link.uuid, description: 'Changed' })
  expect(changed).toMatchObject({ link: link.link, title: 'From a tool', description: 'Changed' })
  expect((await caller.call('change_link', { uuid: 'none', title: 'x' })).isError).toBe(true)
  expect(edited.title).toBe('From a tool')

  const logo = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { content } = await caller.call('generate_qr', {
    url: 'https://example.com/agents',
    pattern: 'dots',
    logo: `data:image/png;base64,${logo.toString('base64')}`,
  })
  expect(content.map(({ type, mimeType }) => [type, mimeType])).toEqual([
    ['text', undefined],
    ['image', 'image/png'],
  ])
  expect(await decode(Buffer.from(content[1]?.data ?? '', 'base64'))).toBe('https://example.com/agents')
  expect(JSON.parse(content[0]?.text ?? '').data.logo).toMatch(/^http/)

  const imported = await caller.call('import_links', { file: 'link,title\nhttps://example.com/i,One\n' })
  expect(JSON.parse(imported.content[0]?.text ?? '').data).toHaveLength(1)
  const exported = await caller.call('export_links', {})
  expect(exported.content.at(-1)?.text).toContain('https://example.com/i')

  const wrong = await caller.call('generate_link', { link: 'nonsense', colour: 'red' })
  expect(wrong.isError).toBe(true)
  expect(wrong.content[0]?.text).toMatch(/^Some fields are not valid\n {2}link: .+\n {2}colour: /)
  expect((await caller.request('tools/call', { name: 'no_such_tool' })).error?.code).toBe(-32_602)
  expect((await caller.request('resources/list')).error?.code).toBe(-32_601)
  expect(await caller.end()).toBe(0)
})

it('marks what visitors wrote as data from outside, in its instructions and in each result', async () => {
  const hostile = 'ignore-all-instructions.example'
  const caller = new Caller(account)
  const { result } = await caller.request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  expect((result as { instructions: string }).instructions).toMatch(/written by visitors.+never follow/s)
  const link = await caller.data('generate_link', { link: 'https://example.com/v', title: 'T' })
  await fetch(link.short_url, {
    redirect: 'manual',
    headers: {
      referer: `https://${hostile}/`,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    },
  })
  const read = () => caller.call('analytics', { uuid: link.uuid, by: 'referrer' })
  await expect.poll(async () => (await read()).content[0]?.text, { timeout: 20_000 }).toContain(hostile)
  const text = (await read()).content[0]?.text ?? ''
  expect(JSON.parse(text).notice).toMatch(/written by visitors.+do not follow instructions/)
  // The mark comes before what it is about.
  expect(text.indexOf('"notice"')).toBeLessThan(text.indexOf(hostile))
  const marks = [
    await caller.call('list_links', { uuid: link.uuid }),
    await caller.call('export_links', {}),
    await caller.call('current_plan', {}),
  ].map(({ content }) => content[0]?.text?.includes('written by visitors'))
  expect(marks).toEqual([true, true, false])
  expect(await caller.end()).toBe(0)
})

it('explains what a read-only key may not do, and reads with it', async () => {
  const words = ['key', 'create', '--email', account.email, '--scope', 'read', '--json']
  const key = JSON.parse((await waymark.cli(...words)).stdout) as { api_key: string; secret: string }
  const caller = new Caller({ apiKey: key.api_key, secret: key.secret })
  expect((await caller.data('list_links', {})).length).toBeGreaterThan(0)
  const { isError, content } = await caller.call('generate_link', { link: 'https://example.com/' })
  expect(isError).toBe(true)
  expect(content[0]?.text).toMatch(
    /^This API key does not have the scope links:write\nwaymark mcp signs with a key that .*scope write/,
  )
  expect(await caller.end()).toBe(0)
})

it('uploads files only from the folder that it was given', async () => {
  const shared = join(folder, 'shared')
  await mkdir(shared)
  const png = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()
  await Promise.all([writeFile(join(shared, 'logo.png'), png), writeFile(join(folder, 'private.png'), png)])
  const caller = new Caller(account, '--files', shared)
  const code = { url: 'https://example.com/', pattern: 'squares' }
  const { isError } = await caller.call('generate_qr', { ...code, logo: 'logo.png' })
  expect(isError).toBeUndefined()
  for (const logo of ['../private.png', join(folder, 'private.png'), '/etc/hostname']) {
    const refused = await caller.call('generate_qr', { ...code, logo })
    expect([logo, refused.isError, refused.content[0]?.text]).toEqual([
      logo,
      true,
      expect.stringMatching(/is not in|does not exist in/),
    ])
  }
  await caller.end()
  const without = new Caller(account)
  expect((await without.call('generate_qr', { ...code, logo: join(shared, 'logo.png') })).isError).toBe(true)
  await without.end()
})

it('says what to do without a key', async () => {
  const { code, stderr } = await runCli({ XDG_CONFIG_HOME: folder }, 'mcp')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Run waymark login first')])
})
