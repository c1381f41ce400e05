import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decode } from './support/decode.ts'
import { McpCaller } from './support/mcp-caller.ts'
import { type Account, runCli, startWaymark, type Waymark } from './support/waymark.ts'

/*
 * `waymark mcp` as a program on the other end of its pipes sees it. `npm run test:release -- mcp` does the same with the
 * official client library.
 */

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

it('calls every operation, listed or not, signs calls and returns pictures', async () => {
  const caller = new McpCaller(waymark.url, account)
  const { result } = await caller.request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'waymark' } })
  const listOf = async (each: McpCaller): Promise<string[]> => {
    const { tools } = (await each.request('tools/list')).result as { tools: { name: string }[] }
    return tools.map(({ name }) => name)
  }
  expect(await listOf(caller)).toEqual(expect.arrayContaining(['generate_link', 'list_links', 'more_tools']))
  const [all, areas] = [['--all'], ['--areas', 'codes,pages']].map(
    (words) => new McpCaller(waymark.url, account, ...words),
  )
  if (all === undefined || areas === undefined) throw new Error('There is no caller')
  expect((await listOf(all)).length).toBeGreaterThan(80)
  expect(await listOf(areas)).toEqual(expect.arrayContaining(['edit_barcode', 'edit_page', 'more_tools']))
  await Promise.all([all.end(), areas.end()])

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
  const caller = new McpCaller(waymark.url, account)
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
  const caller = new McpCaller(waymark.url, { apiKey: key.api_key, secret: key.secret })
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
  const caller = new McpCaller(waymark.url, account, '--files', shared)
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
  const without = new McpCaller(waymark.url, account)
  expect((await without.call('generate_qr', { ...code, logo: join(shared, 'logo.png') })).isError).toBe(true)
  await without.end()
})

it('names the areas that exist', async () => {
  const { code, stderr } = await runCli({}, 'mcp', '--areas', 'links,nothing')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/nothing is not one of links, codes, .*account/)])
})

it('says what to do without a key', async () => {
  const { code, stderr } = await runCli({ XDG_CONFIG_HOME: folder }, 'mcp')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Run waymark login first')])
})
