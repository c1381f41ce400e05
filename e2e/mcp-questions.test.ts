import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decode } from './support/decode.ts'
import { McpCaller } from './support/mcp-caller.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

/*
 * The questions of docs/mcp.md, answered as an assistant would: only with the tools that are listed by default, with input that
 * fits the listed schemas, and with nothing known but the responses.
 */

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const page = join(fileURLToPath(new URL('../', import.meta.url)), 'docs/mcp.md')

interface Listed {
  readonly name: string
  readonly inputSchema: { readonly properties: Record<string, unknown>; readonly required?: string[] }
}

let waymark: Waymark
let caller: McpCaller
let listed: ReadonlyMap<string, Listed>
/** Question → the tools of its row. */
let questions: ReadonlyMap<string, readonly string[]>
let used: Set<string>

beforeAll(async () => {
  waymark = await startWaymark()
  caller = new McpCaller(waymark.url, await waymark.account())
  const { tools } = (await caller.request('tools/list')).result as { tools: Listed[] }
  listed = new Map(tools.map((tool) => [tool.name, tool]))
  const rows = (await readFile(page, 'utf8')).matchAll(/^\| (?<question>[^|]+) \| (?<tools>`[^|]+) \|$/gm)
  questions = new Map(
    [...rows].map(({ groups }) => [
      groups?.['question'] ?? '',
      [...(groups?.['tools'] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ]),
  )
})
afterAll(async () => {
  await caller.end()
  await waymark.stop()
})

const check = (name: string, given: object): void => {
  const { inputSchema } = listed.get(name) ?? {}
  expect(inputSchema, `${name} is not listed`).toBeDefined()
  const { properties = {}, required = [] } = inputSchema ?? {}
  expect(Object.keys(properties), name).toEqual(expect.arrayContaining(Object.keys(given)))
  expect(Object.keys(given), name).toEqual(expect.arrayContaining(required))
  used.add(name)
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into freely
const ask = (name: string, given: object): Promise<any> => {
  check(name, given)
  return caller.data(name, given)
}

const visit = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': BROWSER, referer: 'https://news.example/' } })

const answers: Readonly<Record<string, () => Promise<void>>> = {
  'Shorten https://example.com/summer as “summer”.': async () => {
    const link = await ask('generate_link', { link: 'https://example.com/summer', customLink: 'summer' })
    expect((await visit(link.short_url)).headers.get('location')).toBe('https://example.com/summer')
  },
  'Which of my links is clicked most?': async () => {
    await caller.data('generate_link', { link: 'https://example.com/quiet' })
    const most = () => ask('list_links', { sort: 'clicks', limit: 1 })
    await expect.poll(most, { timeout: 20_000 }).toMatchObject([{ code: 'summer', clicks: 1 }])
  },
  'Where do the visitors of “summer” come from?': async () => {
    const [{ uuid }] = await ask('list_links', { code: 'summer' })
    const read = () => ask('analytics', { uuid, by: 'referrer' })
    await expect.poll(async () => JSON.stringify(await read()), { timeout: 20_000 }).toContain('news.example')
  },
  'Send “summer” to https://example.com/autumn from now on.': async () => {
    const [{ uuid, short_url }] = await ask('list_links', { code: 'summer' })
    await ask('change_link', { uuid, link: 'https://example.com/autumn' })
    expect((await visit(short_url)).headers.get('location')).toBe('https://example.com/autumn')
  },
  'Remove “summer”. No, bring it back.': async () => {
    const [{ uuid, short_url }] = await ask('list_links', { code: 'summer' })
    await ask('remove_links', { uuid })
    expect((await visit(short_url)).status).toBe(410)
    await ask('restore', { uuids: [uuid] })
    expect((await visit(short_url)).status).toBe(302)
  },
  'Make a QR code for our menu whose destination I can change after printing.': async () => {
    const given = { url: 'https://example.com/menu', pattern: 'dots', dynamic: true, color: '#0b6e5f' }
    const { uuid } = await ask('generate_qr', given)
    const changed = await ask('change_qr', { uuid, url: 'https://example.com/winter-menu' })
    expect(changed.url).toBe('https://example.com/winter-menu')
  },
  'Make a code for the guest Wi-Fi: network “Guests”, password “come in 2026”.': async () => {
    // The listed input has only the names: the complete one is a question to more_tools.
    check('more_tools', { find: 'generate_qr' })
    const { content } = await caller.call('more_tools', { find: 'generate_qr' })
    expect(content[0]?.text).toContain('"ssid"')
    const wifi = { type: 'wifi', ssid: 'Guests', password: 'come in 2026', security: 'WPA' }
    check('generate_qr', { pattern: 'squares', content: wifi })
    const made = await caller.call('generate_qr', { pattern: 'squares', content: wifi })
    const picture = Buffer.from(made.content[1]?.data ?? '', 'base64')
    expect(await decode(picture)).toBe('WIFI:T:WPA;S:Guests;P:come in 2026;;')
  },
  'Build a landing page “Nordlys” with buttons to our shop and to the booking.': async () => {
    const buttons = ['Shop', 'Booking'].map((label) => ({ label, url: `https://example.com/${label}` }))
    const given = {
      title: 'Nordlys',
      slug: 'nordlys',
      logoPosition: 'top-center',
      images: [{ src: 'https://example.com/shop.jpg' }],
      buttons,
    }
    const made = await ask('generate_page', given)
    const html = await (await fetch(made.page_url ?? made.url ?? made.short_url)).text()
    for (const { label } of buttons) expect(html).toContain(label)
  },
  'Import these links: …': async () => {
    const file = 'link,customLink\nhttps://example.com/one,one\nhttps://example.com/two,two\n'
    expect(await ask('import_links', { file })).toHaveLength(2)
    expect(await ask('list_links', { code: 'two' })).toMatchObject([{ link: 'https://example.com/two' }])
  },
  'Tell https://example.com/hook about every new link.': async () => {
    check('more_tools', { find: 'add a webhook' })
    const { content } = await caller.call('more_tools', { find: 'add a webhook' })
    const { tools } = JSON.parse(content[0]?.text ?? '') as { tools: Listed[] }
    expect(tools[0]).toMatchObject({ name: 'add_webhook', inputSchema: { required: ['url'] } })
    const hook = { url: 'https://example.com/hook', events: ['link.created'] }
    expect(await ask('more_tools', { name: 'add_webhook', arguments: hook })).toMatchObject({ url: hook.url })
  },
}

test('the page asks the questions that are answered here', () => {
  expect([...questions.keys()]).toEqual(Object.keys(answers))
  expect(questions.size).toBe(10)
})

test.each(Object.entries(answers))('%s', async (question, answer) => {
  used = new Set()
  await answer()
  expect([...used].toSorted()).toEqual([...(questions.get(question) ?? [])].toSorted())
})
