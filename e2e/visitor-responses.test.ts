import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BROWSER, picture, until, upload } from './support/pages.ts'
import { multipart, post } from './support/requests.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

/*
 * Every part that visitors reach, and what it responds to usual and unusual requests: status, headers and body, as recorded in
 * e2e/recorded/. `vitest run -u` rewrites the files: read the difference.
 */

const CUSTOM = 'go.example.org'
const BRANDED = 'to.example.org'
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const ZERO = '00000000-0000-7000-8000-000000000000'
const LONG = 'a'.repeat(1025)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const BROKEN_TYPE = { 'content-type': 'application/json; charset, text' }
const NO_TYPE = { 'content-type': 'nonsense' }

interface Sent {
  readonly method: string
  readonly path: string
  readonly host?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface Received {
  readonly status: number
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

let waymark: Waymark
let secure: Waymark
/** What differs from run to run, and the name for it in the recorded files. */
const names = new Map<string, string>()
afterAll(async () => {
  await secure?.stop()
  await waymark?.stop()
})

const named = (text: string): string => {
  let out = text
  for (const [value, name] of names) out = out.replaceAll(value, name)
  return out
}
const actual = (text: string): string => {
  let out = text
  for (const [value, name] of names) out = out.replaceAll(name, value)
  return out
}

const send = (port: number, { method, path, host = 'localhost', headers, body = '' }: Sent) =>
  new Promise<Received>((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { port, host: 'localhost', agent: false, method, path: actual(path) }
    const given = Object.entries(headers ?? {}).map(([name, value]) => [name, actual(value)])
    request({ ...options, headers: { host, ...length, ...Object.fromEntries(given) } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject).on('end', () => {
        const { statusCode: status = 0, rawHeaders } = response
        resolve({ status, rawHeaders, body: Buffer.concat(chunks) })
      })
    })
      .on('error', reject)
      .end(body)
  })

const CHANGING = new Set(['date', 'x-request-id', 'x-ratelimit-remaining'])

/** A text in full, a page as its title, and of anything else its first bytes. */
const bodyOf = (body: Buffer): string => {
  const text = named(body.toString())
  const title = /<title>(.*?)<\/title>/s.exec(text)?.[1]
  if (title !== undefined) return `page "${title}"`
  return /^[\t\n\r -~]{0,600}$/.test(text) ? text : `bytes ${body.subarray(0, 4).toString('hex')}`
}

const headerOf = (name: string, value: string, length: number): string => {
  if (CHANGING.has(name)) return `${name}: …`
  if (name === 'content-length' && Number(value) > 0)
    return `${name}: ${Number(value) === length ? 'that' : 'some'}`
  return `${name}: ${named(value).replaceAll(/sha256-[\w+/=]+/g, 'sha256-…')}`
}

const textOf = ({ method, path, host, headers, body }: Sent, received: Received): string => {
  const { rawHeaders, status } = received
  const about = [
    ...(host === undefined ? [] : [`host ${host}`]),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name} ${value}`),
    ...(body === undefined ? [] : [body.length > 100 ? `${body.length} bytes` : body]),
  ]
  const lines = Array.from({ length: rawHeaders.length / 2 }, (_, at) =>
    headerOf(String(rawHeaders[2 * at]).toLowerCase(), String(rawHeaders[2 * at + 1]), received.body.length),
  )
  const asked = [`${method} ${path.replaceAll(LONG, 'a{1025}')}`, ...about].join(' | ')
  return [asked, String(status), ...lines.toSorted(), bodyOf(received.body), ''].join('\n')
}

/** Sends requests one after another, and compares what came back with the recorded file. */
const compare = async (port: number, file: string, requests: readonly Sent[]): Promise<void> => {
  let text = ''
  for (const sent of requests) text += `${textOf(sent, await send(port, sent))}\n`
  await expect(text).toMatchFileSnapshot(`recorded/${file}.txt`)
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const allMethods = (path: string, more: Partial<Sent> = {}): Sent[] =>
  METHODS.map((method) => ({ method, path, ...more }))
const gets = (...paths: string[]): Sent[] => paths.map((path) => ({ method: 'GET', path }))
const reads = (path: string, headers: Record<string, string> = {}): Sent[] =>
  ['GET', 'HEAD'].map((method) => ({ method, path, headers }))

beforeAll(async () => {
  waymark = await startWaymark({
    ABUSE_CONTACT: 'abuse@example.com',
    SECURITY_CONTACT: 'mailto:s@example.com',
  })
  const account = await waymark.account()
  const call = async (path: string, fields: Parameters<typeof post>[3]) => {
    const { status, body } = await post(waymark, account, path, fields)
    if (status > 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body.data
  }
  for (const name of [CUSTOM, BRANDED]) await waymark.cli('domain', 'add', name, '--email', account.email)
  await until(
    () => send(waymark.port, { method: 'GET', path: '/', host: BRANDED }),
    ({ status }) => status === 200,
  )
  await call('/v1/edit-domain', { name: BRANDED, not_found_url: 'https://example.com/nothing' })

  const link = (customLink: string, fields: object = {}) =>
    call('/v1/generate-link', { link: `https://example.com/${customLink}`, customLink, ...fields })
  await link('secret', { password: 'sesame' })
  await link('secret', { password: 'sesame', domain: CUSTOM })
  await link('guide', { password: 'sesame', forward_path: true, redirect: 307 })
  await link('few', { max_clicks: 1_000_000 })
  await link('plain')
  await link('card', { preview: { title: 'A card', description: 'of a link' } })
  await link('card', { preview: { title: 'A card', description: null }, domain: CUSTOM })
  const removed = await link('removed', { preview: { title: 'Gone', description: null } })
  await call('/v1/remove-links', { uuid: removed.uuid })

  const small = await picture()
  const page = (slug: string) =>
    multipart([
      ...Object.entries({ title: 'Shop', slug, logoPosition: 'top-left' }).map(([name, value]) => ({
        name,
        value,
      })),
      upload('images[]', small),
      { name: 'buttons[0][label]', value: 'Go' },
      { name: 'buttons[0][url]', value: 'https://example.com/' },
      { name: 'buttons[1][type]', value: 'contact' },
      { name: 'buttons[1][contact][first_name]', value: "Ada (1815) O'Neill ☎" },
    ])
  const shop = await call('/v1/generate-page', page('shop'))
  names.set(shop.uuid, '{page}')
  await call('/v1/remove-page', { uuid: (await call('/v1/generate-page', page('closed'))).uuid })

  const profile = multipart([upload('image', await picture('#336699', 800, 600))])
  const { image } = await call('/v1/update-personal-info', profile)
  names.set(/([0-9a-f]{64})/.exec(image)?.[1] ?? '', '{hash}')
  const picturesOf = async (name: string, path: string, fields: Record<string, unknown>) => {
    const { uuid, svg_url } = await call(path, fields)
    names.set(uuid, `{${name}}`)
    names.set(new URL(svg_url).searchParams.get('v') ?? '', `{${name} version}`)
    return uuid as string
  }
  await picturesOf('qr', '/v1/generate-qr', { pattern: 'squares', url: 'https://example.com/' })
  await picturesOf('wifi', '/v1/generate-qr', {
    pattern: 'squares',
    content: { type: 'wifi', ssid: 'Home', security: 'none' },
  })
  await picturesOf('barcode', '/v1/generate-barcode', { url: 'https://example.com/' })
  const gone = await picturesOf('gone', '/v1/generate-qr', {
    pattern: 'squares',
    url: 'https://example.com/gone',
  })
  await call('/v1/remove-qr', { uuid: gone })

  const versionIn = async (sent: Sent, pattern: RegExp): Promise<string> =>
    pattern.exec((await send(waymark.port, sent)).body.toString())?.[1] ?? 'none'
  const shopPage = { method: 'GET', path: '/p/shop' }
  names.set(await versionIn(shopPage, /\/o\/shop\.png\?v=([^"&]+)/), '{page version}')
  const card = { method: 'GET', path: '/card', headers: { 'user-agent': SLACK } }
  const cardVersion = /card\.png\?v=([^"&]+)/
  names.set(await versionIn(card, cardVersion), '{card version}')
  names.set(await versionIn({ ...card, host: CUSTOM }, cardVersion), '{custom card version}')
  names.set(`localhost:${waymark.port}`, '{own host}')
  const { rawHeaders } = await send(waymark.port, shopPage)
  names.set(
    rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? '',
    '{page etag}',
  )

  secure = await startWaymark({ BASE_URL: 'https://go.example.com' })
  await secure.cli('domain', 'add', CUSTOM)
  await until(
    () => send(secure.port, { method: 'GET', path: '/', host: CUSTOM }),
    ({ status }) => status === 200,
  )
})

it('well-known paths', async () => {
  const ask = '/.well-known/waymark/ask'
  await compare(waymark.port, 'well-known', [
    ...allMethods('/favicon.ico'),
    ...allMethods('/robots.txt'),
    ...allMethods('/.well-known/security.txt'),
    ...allMethods(`${ask}?domain=localhost`),
    { method: 'GET', path: '/robots.txt', host: CUSTOM },
    { method: 'GET', path: '/favicon.ico', host: CUSTOM },
    ...gets(ask, `${ask}?domain=other.example`, `${ask}?domain=${CUSTOM.toUpperCase()}.`),
    ...gets(`${ask}?domain=a&domain=localhost`, `${ask}?domain=a+b%20c%2B`, `${ask}?domain=%FF&token`),
    ...gets(`${ask}?=x&&domain=localhost=1`, `${ask}?dom%61in=localhost`, `${ask}#domain=localhost`),
    ...gets(`${ask}?domain=localhost#x`, `${ask}?domain=a;domain=b`, `${ask}?token=wrong&domain=localhost`),
    { method: 'GET', path: `${ask}?domain=localhost`, headers: { 'x-forwarded-for': '203.0.113.9' } },
    ...gets('/favicon.ico/', '/%66avicon.ico', '/favicon.ico?x', '/favicon.ico#x', '/robots%2Etxt'),
    ...gets('/robots.txt/x', '/.well-known', '/.well-known/', '/.well-known/security.txt/'),
    ...gets('/.well-known%2Fsecurity.txt', '/favicon%zz', '/favicon.ico%', '/%E0%A4', '//favicon.ico'),
    ...gets(
      '/FAVICON.ICO',
      '/./favicon.ico',
      '/favicon.ico;x',
      '/%c3%bc',
      '/%2525',
      '/%25',
      '/%2f',
      '/?x',
      '//',
    ),
    { method: 'POST', path: '/favicon.ico', headers: BROKEN_TYPE, body: '{' },
    { method: 'POST', path: '/favicon.ico', headers: { origin: 'https://a.example' }, body: 'x' },
    { method: 'POST', path: '/favicon.ico', host: CUSTOM },
  ])
})

it('paths that nothing serves', async () => {
  await compare(waymark.port, 'nothing', [
    ...allMethods('/.hidden'),
    ...allMethods('/unknown code'.replace(' ', '%20')),
    ...allMethods('/'),
    ...allMethods('/', { host: CUSTOM }),
    ...allMethods('/%zz'),
    ...allMethods('/v1'),
    ...allMethods('/v1/', { host: CUSTOM }),
    ...allMethods('/v1/none'),
    ...allMethods('/v1/%zz'),
    ...allMethods('/%761/none'),
    ...allMethods('/app', { host: CUSTOM }),
    ...allMethods('/docs/none'),
    ...allMethods('/livez/'),
    ...allMethods('/invoice/none'),
    ...gets('/.hidden', '/%zz', '/a%20b').map((sent) => ({ ...sent, host: CUSTOM })),
    ...gets('/.hidden', '/%zz', '/a%20b').map((sent) => ({ ...sent, host: BRANDED })),
    ...reads('/.hidden', { accept: 'application/json' }),
    ...reads('/.hidden', { 'accept-language': 'de' }),
    ...gets(`/${LONG}`, `/${LONG}/x`, `/i/${LONG}`, `/p/${LONG}/1.vcf`, `/invoice/${LONG}`, `/v1/${LONG}`),
    ...gets('/%61pp', '/docs/%zz', '/openapi.json/', '/metrics', '/app%2Fx', '/.%2E/x'),
    { method: 'OPTIONS', path: '*' },
    { method: 'GET', path: 'http://localhost/.hidden' },
    { method: 'GET', path: `http://${BRANDED}/.hidden?x` },
    ...['/.hidden', '/livez/', '/favicon.ico/'].flatMap((path) => [
      { method: 'POST', path, headers: NO_TYPE, body: 'x' },
      { method: 'PUT', path, headers: BROKEN_TYPE },
      { method: 'DELETE', path, headers: { 'content-type': 'text/plain' }, body: 'x' },
    ]),
  ])
})

it('stored pictures', async () => {
  const path = '/m/{hash}.webp'
  await compare(waymark.port, 'media', [
    ...allMethods(path),
    ...allMethods('/m/{hash}.jpg'),
    ...reads(`${path}?w=480`),
    ...reads(`${path}?w=480`, { accept: 'image/avif,*/*' }),
    ...gets(
      `${path}?w=481`,
      `${path}?w=480&w=480`,
      `${path}?w=`,
      `${path}?w`,
      `${path}?v=1`,
      '/m/{hash}.jpg?w=480',
    ),
    ...reads(path, { 'if-none-match': '"{hash}"' }),
    ...reads(path, { 'if-none-match': 'W/"x", *' }),
    ...reads(path, { 'if-none-match': '"x"' }),
    ...reads(`${path}?w=480`, { 'if-none-match': '"{hash}-480-webp"' }),
    ...gets('/m', '/m/', '/m/x', '/m/{hash}', '/m/{hash}.png', `${path}/`, `${path}%2F`, '/m/{hash}%2Ewebp'),
    ...gets(
      `/m/${'0'.repeat(64)}.webp`,
      `/m/${'0'.repeat(64)}.jpg`,
      `/m/${'0'.repeat(64)}.webp?w=480`,
      '/%6d/{hash}.webp',
    ),
    { method: 'GET', path, host: CUSTOM },
    { method: 'GET', path: '/m/x', host: BRANDED },
  ])
})

it('pictures of codes', async () => {
  const path = '/i/{qr}.svg'
  await compare(waymark.port, 'pictures', [
    ...allMethods(path),
    ...reads('/i/{qr}.png?v={qr version}'),
    ...reads('/i/{qr}.webp'),
    ...reads('/i/{qr}.pdf?v=x'),
    ...gets(`${path}?format=png`, `${path}?format=gif`, `${path}?format=png&format=svg`, `${path}?scale=2`),
    ...gets(
      '/i/{qr}.png?scale=9',
      '/i/{qr}.png?scale=',
      '/i/{qr}.png?scale=2&scale=2',
      '/i/{qr}.png?scale=%32',
    ),
    ...reads('/i/{qr}.png?scale=0&format=x', { accept: 'text/html' }),
    ...reads(path, { 'if-none-match': '"{qr version}-svg-1"' }),
    ...reads(path, { 'if-none-match': '"{qr version}-png-1"' }),
    ...reads('/i/{barcode}.svg?v={barcode version}'),
    ...gets('/i/{wifi}.svg', '/i/{wifi}.svg?v={wifi version}', '/i/{wifi}.svg?v=x'),
    ...allMethods('/i/{gone}.svg'),
    ...gets(
      `/i/${ZERO}.svg`,
      `/i/${ZERO}.svg?format=x`,
      '/i/',
      '/i',
      '/i/x.svg',
      '/i/{qr}.gif',
      `${path}/`,
      '/i/{qr}%2Esvg',
    ),
    { method: 'GET', path, host: CUSTOM },
    { method: 'POST', path, headers: NO_TYPE, body: 'x' },
  ])
})

it('pages, their contacts, previews, events and fonts', async () => {
  const event = '/e/{page}/button/1'
  await compare(waymark.port, 'pages', [
    ...allMethods('/p/shop'),
    ...gets('/p/SHOP', '/p/shop/', '/p/shop?x=1', '/p/sh%6fp', '/p/none', '/p/', '/p', '/p/closed'),
    ...allMethods('/p/shop/2.vcf'),
    ...gets(
      '/p/shop/1.vcf',
      '/p/shop/2.txt',
      '/p/none/2.vcf',
      '/p/closed/2.vcf',
      '/p/SHOP/2.vcf',
      '/p/shop/2.vcf/',
    ),
    ...gets('/p/%73hop/2.vcf', '/p//2.vcf', '/p/shop/%32.vcf', '/p/shop/'),
    { method: 'GET', path: '/p/none/2.vcf', host: BRANDED },
    { method: 'GET', path: '/p/none/2.vcf', headers: { accept: 'application/json' } },
    ...allMethods('/o/shop.png'),
    ...reads('/o/shop.svg?v={page version}'),
    ...reads('/o/shop.png?v={page version}&v=x'),
    ...reads('/o/shop.svg', { 'if-none-match': '"{page version}-svg"' }),
    ...gets(
      '/o/closed.png',
      '/o/none.svg',
      '/o/SHOP.svg',
      '/o/shop.gif',
      '/o/',
      '/o',
      '/o/shop.svg/',
      '/o/%73hop.svg',
    ),
    { method: 'GET', path: '/o/shop.svg', host: CUSTOM },
    ...allMethods(event),
    { method: 'POST', path: event, headers: { 'content-type': 'text/ping' }, body: 'PING' },
    { method: 'POST', path: event, headers: NO_TYPE, body: 'PING' },
    { method: 'POST', path: event, headers: { 'content-type': '' }, body: 'PING' },
    { method: 'POST', path: event, headers: BROKEN_TYPE, body: 'PING' },
    { method: 'POST', path: event, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(65) },
    { method: 'POST', path: event, body: 'PING' },
    ...[
      '/e/x/button/1',
      '/e/{page}/other/1',
      '/e/{page}/icon/0',
      '/e/{page}/button',
      '/e/{page}/button/1/',
      '/e',
    ].map((path) => ({ method: 'POST', path })),
    ...allMethods('/e/clicks.js'),
    ...allMethods('/e/fonts/overpass-latin.woff2'),
    ...gets('/e/fonts/none.woff2', '/e/fonts/', '/e/clicks.js/', '/e/clicks.js?x', '/%65/clicks.js'),
  ])
})

it('preview cards of links', async () => {
  const path = '/o/links/card.png'
  const slack = { 'user-agent': SLACK }
  await compare(waymark.port, 'cards', [
    ...allMethods('/card', { headers: slack }),
    { method: 'GET', path: '/card', headers: slack, host: CUSTOM },
    ...allMethods(path),
    ...reads(`${path}?v={card version}`),
    ...reads(`${path}?v=x`),
    ...reads(path, { 'if-none-match': '"{card version}"' }),
    ...gets(
      '/o/links/plain.png',
      '/o/links/none.png',
      '/o/links/removed.png',
      '/o/links/card.svg',
      '/o/links',
    ),
    ...gets('/o/links/', `${path}/`, '/o/links/c%61rd.png', '/o/l%69nks/card.png', '/o/links/card%2Epng'),
    { method: 'GET', path, host: CUSTOM },
    { method: 'GET', path, host: BRANDED },
  ])
})

it('links that need more than a redirect', async () => {
  const form = { method: 'POST', path: '/secret', headers: { ...FORM, 'user-agent': BROWSER } }
  const plain = { method: 'POST', path: '/plain' }
  await compare(waymark.port, 'links', [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method) => ({ method, path: '/secret' })),
    { method: 'GET', path: '/secret', host: CUSTOM, headers: { 'accept-language': 'de' } },
    ...reads('/secret', { accept: 'application/json' }),
    { ...form, body: 'password=wrong' },
    { ...form, body: 'password=sesame' },
    { ...form, path: '/guide/a/b?x=1', body: 'password=sesame' },
    { ...form, headers: { 'content-type': 'application/json' }, body: '{"password":"sesame"}' },
    {
      ...form,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{"password":1}',
    },
    { ...form, headers: { 'content-type': 'application/json' }, body: '{' },
    { ...form, headers: { 'content-type': 'text/plain' }, body: 'password=sesame' },
    { ...form, headers: NO_TYPE, body: 'password=sesame' },
    { ...form, headers: BROKEN_TYPE, body: '{}' },
    { ...form, body: `password=${'x'.repeat(5000)}` },
    { ...form, path: '/none', body: 'password=sesame' },
    { ...form, path: '/none/x', headers: NO_TYPE, body: 'x' },
    ...['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'].map((method) => ({ method, path: '/few' })),
    ...reads('/few', { 'user-agent': SLACK }),
    ...allMethods('/plain+'),
    ...gets(
      '/secret+',
      '/none+',
      '/removed+',
      '/few+',
      '/plain%2B',
      '/plain++',
      '/plain+/',
      '/plain+?x',
      '/v1+',
    ),
    ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => ({ ...plain, method })),
    ...['/removed', '/none', '/plain/', '/plain/x', '/guide/x', '/app', '/v1/none', '/i'].map((path) => ({
      ...plain,
      path,
    })),
    ...gets(
      '/secret/',
      '/secret/x',
      '/s%65cret',
      '/secret?x=%zz',
      '/secret#x',
      '/guide/%zz',
      '/guide/a%20b',
      '/guide//x',
    ),
  ])
})

it('over https', async () => {
  const paths = [
    '/favicon.ico',
    '/secret',
    '/.hidden',
    '/%zz',
    '/m/x',
    '/p/none',
    '/p/none/1.vcf',
    '/e/clicks.js',
    '/none+',
  ]
  await compare(secure.port, 'https', [
    ...paths.flatMap((path) => [
      { method: 'GET', path },
      { method: 'POST', path },
      { method: 'GET', path, host: CUSTOM },
    ]),
    ...gets('/', '/v1/none', `/i/${ZERO}.svg?format=x`, '/livez', `/${LONG}`),
    { method: 'PROPFIND', path: '/none' },
    { method: 'GET', path: '/none+', host: 'go.example.com' },
    { method: 'GET', path: '/.well-known/security.txt' },
  ])
})
