import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decode } from './support/decode.ts'
import { openReceiver } from './support/receiver.ts'
import { get } from './support/requests.ts'
import { typed } from './support/typed-answers.ts'
import { type Account, launchedBy, launcher, runCli, startWaymark, type Waymark } from './support/waymark.ts'

/* The everyday commands, from the shell to a live server. They use the API alone, so one stack is enough. */

const run = promisify(execFile)
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let waymark: Waymark
let account: Account
let folder: string

beforeAll(async () => {
  waymark = await startWaymark({ WEBHOOK_ALLOW_PRIVATE: 'on' })
  account = await waymark.account()
  folder = await mkdtemp(join(tmpdir(), 'waymark-cli-'))
})
afterAll(async () => {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
})

const env = () => ({
  WAYMARK_URL: waymark.url,
  WAYMARK_API_KEY: account.apiKey,
  WAYMARK_SECRET: account.secret,
  XDG_CONFIG_HOME: join(folder, 'nobody'),
})

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
const json = async (...words: string[]): Promise<any> => {
  const { stdout, stderr, code } = await runCli(env(), ...words, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim().split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}
const failure = async (...words: string[]) => {
  const { stdout, stderr, code } = await runCli(env(), ...words, '--json')
  expect(stdout).toBe('')
  return { code, ...(JSON.parse(stderr) as { error: string; errors?: object; status?: number }) }
}

describe('waymark login', () => {
  it('keeps a key that works, readable by its owner alone, until logout', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') }
    const file = join(folder, 'config/waymark/credentials.json')
    const login = (secret: string) =>
      runCli(home, 'login', '--url', `${waymark.url}/`, '--api-key', account.apiKey, '--secret', secret)

    const wrong = await login('wms_wrong')
    expect([wrong.code, wrong.stderr]).toEqual([1, 'waymark: Invalid signature\n'])
    await expect(stat(file)).rejects.toThrow('ENOENT')

    const right = await login(account.secret)
    expect([right.code, right.stdout]).toEqual([
      0,
      `Logged in to ${waymark.url} as ${account.email}. The key is in ${file}\n`,
    ])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      url: waymark.url,
      apiKey: account.apiKey,
      secret: account.secret,
    })
    expect((await runCli(home, 'link', 'list')).stdout).toBe('None.\n')

    await runCli(home, 'logout')
    const after = await runCli(home, 'link', 'list')
    expect([after.code, after.stderr]).toEqual([
      1,
      'waymark: Run waymark login first, or set WAYMARK_URL and WAYMARK_TOKEN (or WAYMARK_API_KEY and WAYMARK_SECRET)\n',
    ])
  })
})

it('asks for what login misses, and never shows the secret', async () => {
  const home = { XDG_CONFIG_HOME: join(folder, 'typed') }
  const { code, shown } = await typed(home, 'login', [
    ['Address of the instance: ', waymark.url],
    ['API key: ', account.apiKey],
    ['Secret: ', account.secret],
  ])
  expect([code, shown]).toEqual([
    0,
    expect.stringContaining(`Logged in to ${waymark.url} as ${account.email}.`),
  ])
  expect(shown).toContain(account.apiKey)
  expect(shown).not.toContain(account.secret)
})

it('is cancelled at a question by Ctrl+C, in one line', async () => {
  for (const [words, question] of [
    ['login', 'Address of the instance: '],
    ['user create --email cancelled@example.com', 'Password: '],
  ] as const) {
    const { code, shown } = await typed(
      { ...waymark.env, BASE_URL: waymark.url, XDG_CONFIG_HOME: folder },
      words,
      [[question, '\u0003']],
    )
    expect([code, shown.trim().split(/\r?\n/).at(-1)]).toEqual([
      1,
      expect.stringMatching(/waymark: Cancelled$/),
    ])
  }
})

describe('waymark link', () => {
  it('creates, lists, edits, counts and removes', async () => {
    const options = '--custom-link cli-spring --tags shop,sale --redirect 307 --archived false --max_clicks 5'
    const made = await json('link', 'create', 'https://example.com/spring', ...options.split(' '))
    expect(made).toMatchObject({ code: 'cli-spring', tags: ['shop', 'sale'], redirect: 307, max_clicks: 5 })
    expect(await json('link', 'list', '--tag', 'sale')).toEqual([made])

    const rules = '[{"if":{"country":["FR"]},"to":"https://example.com/fr"}]'
    const changes = ['--title', 'Spring', '--tags', 'x', '--rules', rules]
    const edited = await json('link', 'edit', 'cli-spring', ...changes)
    expect(edited).toMatchObject({ link: made.link, title: 'Spring', tags: ['x'], redirect: 307 })
    expect(edited.rules).toHaveLength(1)
    const cleared = await json('link', 'edit', made.short_url, '--max-clicks', 'null')
    expect(cleared.max_clicks).toBeNull()

    await fetch(made.short_url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
    const clicks = async () =>
      (await get(waymark, account, `/v1/links?uuid=${made.uuid}`)).body.data[0].clicks as number
    await expect.poll(clicks).toBe(1)
    expect((await json('link', 'stats', 'cli-spring')).totals.clicks).toBe(1)
    const stats = await runCli(env(), 'link', 'stats', 'cli-spring', '--by', 'device')
    expect(stats.stdout).toMatch(/^1 clicks, 1 unique visitors and 0 bots from .*█.*device +clicks/s)
    const both = await runCli(env(), 'link', 'stats', 'cli-spring', '--by', 'device,source')
    expect(both.stdout).toMatch(/█.*device +clicks.*source +clicks\s+link +1/s)

    expect(await json('link', 'remove', 'cli-spring')).toEqual({ uuid: made.uuid })
    expect((await fetch(made.short_url, { redirect: 'manual' })).status).toBe(410)
  })

  it('exits 1 when the server rejects, 2 when the command is wrong', async () => {
    expect(await failure('link', 'create', 'nonsense', '--title', 'x'.repeat(256))).toEqual({
      code: 1,
      status: 422,
      error: 'Some fields are not valid',
      errors: { link: [expect.any(String)], title: [expect.any(String)] },
    })
    expect(await failure('link', 'edit', 'no-such-link', '--title', 'x')).toEqual({
      code: 1,
      error: 'There is no short link no-such-link',
    })
    for (const [words, error] of [
      [['link', 'create'], 'Missing <link>'],
      [['link', 'create', 'https://a.example', '--colour', 'red'], "unknown option '--colour'"],
      [['utm', 'https://a.example'], 'Missing --source, --medium, --campaign, --content'],
      [['qr', 'https://a.example', '--out', 'code.bmp'], '--out must end in .svg or .png'],
    ] as const)
      expect(await failure(...words)).toEqual({ code: 2, error: expect.stringContaining(error) })
    expect(await json('--version')).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    const text = await runCli(env(), 'link', 'create', 'nonsense')
    expect(text.stderr).toMatch(/^waymark: Some fields are not valid\n {2}link: .+\n$/)
  })
})

it('saves pictures of QR codes and barcodes, which scan', async () => {
  const [svg, png, ean] = ['menu.svg', 'menu.png', 'product.png'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const logo = join(folder, 'logo.png')
  await writeFile(
    logo,
    await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const code = await json('qr', 'https://example.com/menu', '--logo', logo, '--out', svg)
  expect(await readFile(svg, 'utf8')).toMatch(/^<svg /)
  await json('qr', 'edit', code.uuid, '--color', '#1a4dd0', '--out', png)
  expect(await decode(await readFile(png))).toBe('https://example.com/menu')
  await json('barcode', '--value', '400638133393', '--symbology', 'ean13', '--size', '150', '--out', ean)
  expect(await decode(await readFile(ean))).toBe('4006381333931')
})

it('saves a QR code for a Wi-Fi network, and prints it', async () => {
  const [png, pdf] = [join(folder, 'wifi.png'), join(folder, 'wifi.pdf')]
  const words = ['ssid=Guests', 'password=correct-horse; 5 GHz']
  const code = await json('qr', '--wifi', ...words, '--out', png)
  expect(await decode(await readFile(png))).toBe(String.raw`WIFI:T:WPA;S:Guests;P:correct-horse\; 5 GHz;;`)
  const size = ['--format', 'pdf', '--width-mm', '40', '--out', pdf]
  const printed = await runCli(env(), 'api', 'print-code', '--uuid', code.uuid, ...size)
  expect({ code: printed.code, stderr: printed.stderr }).toEqual({ code: 0, stderr: '' })
  // 40 mm in points.
  expect((await readFile(pdf)).toString('latin1')).toMatch(/^%PDF-[^]*MediaBox \[0 0 113\.3\d* 113\.3\d*\]/)
})

it('makes pages and UTM links', async () => {
  const image = join(folder, 'cover.png')
  await writeFile(
    image,
    await sharp({ create: { width: 80, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  )
  const buttons = '[{"label":"Tickets","url":"https://example.com/tickets"}]'
  const page = await json(
    'page',
    'create',
    'cli-band',
    '--title',
    'The band',
    '--images',
    image,
    '--buttons',
    buttons,
  )
  expect(page).toMatchObject({ slug: 'cli-band', title: 'The band', logoPosition: 'top-center' })
  const edited = await json('page', 'edit', page.uuid, '--subtitle', 'On tour')
  expect(edited).toMatchObject({
    title: 'The band',
    subtext: 'On tour',
    images: page.images,
    buttons: page.buttons,
  })
  const utm = ['--source', 'mail', '--medium', 'email', '--campaign', 'spring', '--content', 'button']
  const made = await json('utm', 'https://example.com/', ...utm, '--shorten')
  expect(made.utm_url).toContain('utm_source=mail')
  expect((await json('utm', 'change', made.uuid, '--campaign', 'summer')).utm_url).toContain(
    'utm_campaign=summer',
  )
})

it('imports, undoes and exports', async () => {
  const csv = join(folder, 'links.csv')
  const rows = Array.from({ length: 50 }, (_, n) => `https://example.com/i/${n},cli-i${n}`)
  await writeFile(csv, `link,customLink\n${rows.join('\n')}\nnonsense,\n`)
  expect(await json('import', csv, '--preview')).toMatchObject({ state: 'ready', importable: 50, total: 51 })
  const done = await json('import', csv)
  expect(done).toMatchObject({ state: 'done', created: 50, problem_count: 1 })
  const out = join(folder, 'out.json')
  const exported = await json('export', '--format', 'json', '--search', '/i/', '--out', out)
  expect(exported).toEqual({ format: 'json', links: 50, skipped: [], simplified: [], out })
  const plain = await runCli(env(), 'export', '--search', '/i/')
  expect(plain.stdout.trim().split('\r\n')).toHaveLength(51)
  expect(await json('import', '--undo', done.uuid)).toMatchObject({ state: 'undone' })
  const again = await json('import', out, '--from', 'waymark')
  expect(again).toMatchObject({ state: 'done', created: 50, source: 'waymark' })
  const sql = join(folder, 'dump.sql')
  await writeFile(
    sql,
    "INSERT INTO `yourls_url` (`keyword`,`url`,`title`,`timestamp`,`ip`,`clicks`) VALUES ('cli-y','https://example.com/y','It\\'s','2020-01-02 03:04:05','::1',7);\n",
  )
  expect(await failure('import', sql, '--from', 'myspace')).toMatchObject({
    code: 2,
    error: expect.stringMatching(/^--from must be one of waymark, bitly, /),
  })
  expect(await json('import', '--from', 'yourls', '--sql', sql)).toMatchObject({ state: 'done', created: 1 })
  const [link] = await json('link', 'list', '--search', 'cli-y')
  expect(link).toMatchObject({ title: "It's", imported_clicks: 7 })
  const long = rows.slice(0, 9).map((row) => `${row}-l,${'x'.repeat(4 << 20)}`)
  await writeFile(csv, `link,customLink,filler\n${long.join('\n')}\nnonsense,,\n`)
  expect(await json('import', csv)).toMatchObject({ parts: 3, created: 9, problems: [{ line: 11 }] })
  const wrong = join(folder, 'wrong.csv')
  await writeFile(wrong, 'link,customLink\nhttps://example.com/again,cli-y\n')
  const failed = await typed(env(), `import '${wrong}' --on-taken fail`, [])
  expect([failed.code, failed.shown]).toEqual([1, expect.stringContaining('Nothing was imported')])
  // On a terminal, bars that are drawn in place and wiped out before the outcome.
  expect(failed.shown).toMatch(/\[K█{30} 100 % {2}(\d+)\/\1 bytes uploaded/)
  expect(failed.shown).toMatch(/\[K░{30} {3}0 % {2}0\/1 links imported/)
  expect(failed.shown).toContain('\r\u001B[KNothing was imported')
})

it('previews a file, runs the preview, and says in counts and exit code when nothing is imported', async () => {
  const csv = join(folder, 'elsewhere.csv')
  await writeFile(
    csv,
    'link,domain\nhttps://example.com/a,nowhere.example\nhttps://example.com/b,nowhere.example\n',
  )
  const preview = await runCli(env(), 'import', csv, '--preview')
  expect([preview.code, preview.stdout]).toEqual([
    1,
    expect.stringContaining('0 new, 0 taken, 2 invalid of 2 links (generic)'),
  ])
  const imported = await runCli(env(), 'import', csv)
  expect([imported.code, imported.stdout]).toEqual([
    1,
    expect.stringContaining('Nothing was imported: all 2 links are left out'),
  ])

  await writeFile(
    csv,
    Buffer.from(
      'Long link,Name,Back=half\nhttps://example.com/c,caf\xe9,cli-map\nhttps://example.com/d,x,cli-y\n',
      'latin1',
    ),
  )
  const unmapped = await runCli(env(), 'import', csv, '--preview')
  expect(unmapped.code).toBe(1)
  expect(unmapped.stdout).toContain('There is no column link. Columns found: Long link, Name, Back=half')
  expect(unmapped.stdout).toContain('--map "COLUMN=link"')
  const refused = await failure('import', csv)
  expect(refused).toMatchObject({
    code: 1,
    errors: { file: ['Line 1: There is no column link. Columns found: Long link, Name, Back=half'] },
  })
  const maps = ['--map', 'Long link=link', '--map', 'name=title', '--map', 'Back=half=customLink']
  const mapped = await runCli(env(), 'import', csv, ...maps, '--preview')
  expect(mapped.stdout).toContain('1 new, 1 taken, 0 invalid of 2 links (generic)')
  const [, uuid = ''] = /waymark import --run (\S+) --on-taken skip/.exec(mapped.stdout) ?? []
  expect(await json('import', '--run', uuid, '--on-taken', 'skip')).toMatchObject({ created: 1, skipped: 1 })
  const [link] = await json('link', 'list', '--search', 'cli-map')
  expect(link).toMatchObject({ title: 'café', link: 'https://example.com/c' })
  expect(await failure('import', csv, '--map', 'Long link')).toMatchObject({ code: 2 })
})

it('listens for webhooks, verifies and forwards them, and removes its webhook', async () => {
  const receiver = await openReceiver()
  const words = `webhook listen --port 0 --events link.created --json --forward ${receiver.url}/hook`
  const child = spawn(launchedBy, [launcher, ...words.split(' ')], { env: { ...process.env, ...env() } })
  const [stdout, stderr] = [child.stdout, child.stderr].map((input) => createInterface({ input }))
  const [told] = (await once(stderr as NonNullable<typeof stderr>, 'line')) as [string]
  const url = /http:\S+\//.exec(told)?.[0] ?? ''
  const printed = once(stdout as NonNullable<typeof stdout>, 'line')
  const forged = await fetch(url, {
    method: 'POST',
    body: '{"type":"link.created"}',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': 'v1,AA==',
    },
  })
  expect(forged.status).toBe(401)
  const link = await json('link', 'create', 'https://example.com/hooked')
  const [line] = (await printed) as [string]
  expect(JSON.parse(line)).toMatchObject({ type: 'link.created', data: { uuid: link.uuid } })
  child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
  expect(receiver.at('/hook').map(({ event }) => event.data.uuid)).toEqual([link.uuid])
  receiver.close()
  expect(await json('webhook', 'list')).toEqual([])
})

it('stops listening when its webhook is rejected or its port cannot be used', async () => {
  const listen = (...words: string[]) => failure('webhook', 'listen', ...words)
  expect(await listen('--port', '0', '--events', 'nothing')).toMatchObject({ code: 1, status: 422 })
  expect(await listen('--port', '70000')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^--host and --port cannot be used: /),
  })
})

it('reaches every operation by its own name', async () => {
  expect((await json('api', 'current-plan')).data.name).toBe('free')
  const simulated = await json('api', 'links', '--limit', '1')
  expect(simulated.meta.count).toBeLessThanOrEqual(1)
})

it('completes commands and options in bash', async () => {
  const { stdout } = await runCli(env(), 'completion', 'bash')
  const script = join(folder, 'completion.sh')
  await writeFile(script, stdout)
  const complete = async (...words: string[]): Promise<string[]> => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const line = `source ${script}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _waymark; echo "\${COMPREPLY[*]}"`
    return (await run('bash', ['-c', line])).stdout.trim().split(/\s+/)
  }
  expect(await complete('waymark', 'lin')).toEqual(['link'])
  expect(await complete('waymark', 'link', '')).toEqual(expect.arrayContaining(['create', 'list', 'stats']))
  expect(await complete('waymark', 'link', 'create', '--cust')).toEqual(['--custom-link'])
  expect(await complete('waymark', 'link', 'edit', 'spring', '--exp')).toEqual(['--expire'])
  expect(await complete('waymark', 'admin', 'user', 'cr')).toEqual(['create'])
  expect((await runCli(env(), 'completion', 'fish')).code).toBe(2)
})

describe('output that cannot be written', () => {
  it('ends a command quietly when the reader of a pipe has enough', async () => {
    // More than a pipe holds.
    const links = Array.from(
      { length: 1_500 },
      (_, index) => `https://example.com/piped/${index}${'x'.repeat(90)}`,
    )
    const path = join(folder, 'piped.csv')
    await writeFile(path, `link\n${links.join('\n')}\n`)
    await json('import', path)
    const piped = `"${launchedBy}" "${launcher}" link list --all | head -1`
    const { stdout, stderr } = await run('bash', ['-o', 'pipefail', '-c', piped], {
      env: { ...process.env, ...env() },
    })
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^short_url .*\n$/), ''])
  })

  it('says so in one line when the disk is full', async () => {
    const child = spawn('bash', ['-c', `exec "${launchedBy}" "${launcher}" link list > /dev/full`], {
      env: { ...process.env, ...env() },
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    expect(await once(child, 'close')).toEqual([1, null])
    expect(stderr).toMatch(/^waymark: the output cannot be written: ENOSPC.*\n$/)
  })
})

it('creates no code when its picture cannot be saved', async () => {
  const total = async () => (await json('qr', 'list')).length as number
  const before = await total()
  const path = join(folder, 'nowhere/menu.png')
  expect(await failure('qr', 'https://example.com/menu', '--out', path)).toEqual({
    code: 1,
    error: `${path} cannot be written`,
  })
  expect(await total()).toBe(before)
})

describe('texts of others', () => {
  it('are isolated for people, and unchanged in JSON', async () => {
    const title = 'a\u2069\u202eb'
    const isolated = '\u2068a\\u2069\u202eb\u2069'
    const made = await json('link', 'create', 'https://example.com/texts', '--title', title)
    expect(made.title).toBe(title)
    const plain = async (...words: string[]) => (await runCli(env(), ...words)).stdout
    expect(await plain('link', 'list', '--search', 'example.com/texts')).toContain(`  ${isolated}\n`)
    const listed = await runCli(env(), 'link', 'list', '--search', 'example.com/texts', '--json')
    expect(listed.stdout).toContain(`"title":"${title}"`)
    const answer = await plain('api', 'links', '--uuid', made.uuid)
    expect([JSON.parse(answer).data[0].title, answer.includes('\u202e')]).toEqual([title, false])
    // The commands of the operator.
    const { email } = account
    await waymark.cli('key', 'create', '--email', email, '--name', title)
    expect((await waymark.cli('key', 'list')).stdout).toContain(isolated)
    expect((await waymark.cli('key', 'list', '--json')).stdout).toContain(`"name":"${title}"`)
    const missing = await waymark.cli('user', 'confirm', '--email', 'a\u202e\u001b[2Jb')
    expect(missing.stderr).toBe('waymark: \u2068There is no account a\u202e\\u001b[2Jb\u2069\n')
  })
})
