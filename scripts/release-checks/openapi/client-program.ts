/*
 * A program that uses the generated client: one call of each kind of request, signed by a short middleware, as a developer
 * without our SDK would write it. It is compiled strictly and run against a live server.
 */
export const CLIENT_PROGRAM = `import { createHash, createHmac } from 'node:crypto'
import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from './schema.js'

const { BASE_URL = '', API_KEY = '', SECRET = '' } = process.env
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const digestOf = async (request: Request): Promise<string> => {
  if (!(request.headers.get('content-type') ?? '').startsWith('multipart/'))
    return sha256(new Uint8Array(await request.clone().arrayBuffer()))
  let manifest = ''
  for (const [name, value] of await request.clone().formData()) {
    const bytes = typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())
    manifest += \`\${name}\\n\${sha256(bytes)}\\n\`
  }
  return sha256(manifest)
}

let last = 0
const signing: Middleware = {
  async onRequest({ request }) {
    last = Math.max(Date.now(), last + 1)
    const { pathname, search } = new URL(request.url)
    const canonical = [String(last), request.method, pathname + search, await digestOf(request)].join('\\n')
    request.headers.set('X-API-KEY', API_KEY)
    request.headers.set('X-TIMESTAMP', String(last))
    request.headers.set('X-SIGNATURE', createHmac('sha256', SECRET).update(canonical).digest('hex'))
    return request
  },
}

const client = createClient<paths>({ baseUrl: BASE_URL })
client.use(signing)

const check = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(what)
  console.log(what)
}

const healthy = await client.GET('/v1/healthcheck')
check('no credentials', healthy.data?.status === 'success')

const made = await client.POST('/v1/generate-link', { body: { link: 'https://example.com/a', tags: ['a', 'b'] } })
const uuid: string = made.data?.data.uuid ?? ''
check('JSON, 201', made.response.status === 201 && made.data?.data.short_url.startsWith('http') === true)

const edited = await client.POST('/v1/edit-links', { body: { uuid, link: 'https://example.com/b', title: 'B' } })
check('an edit', edited.data?.data.title === 'B')

const listed = await client.GET('/v1/links', { params: { query: { limit: 10, tag: 'a' } } })
const total: number = listed.data?.meta.total ?? 0
check('a list with a query', total === 1 && listed.data?.data[0]?.uuid === uuid)

const plan = await client.GET('/v1/current-plan')
check('a signed read', plan.data?.data.name === 'free')

const picture = new Blob([Uint8Array.from(Buffer.from(process.env['PICTURE'] ?? '', 'base64'))], { type: 'image/png' })
const code = await client.POST('/v1/generate-qr', {
  headers: { 'Content-Type': null },
  body: { url: 'https://example.com/', pattern: 'dots', logo: picture as unknown as string },
  bodySerializer(body) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) form.append(name, value as string | Blob)
    return form
  },
})
check('a form with a file', code.data?.data.logo?.includes('/m/') === true)

const csv = await client.GET('/v1/export-links', { parseAs: 'text' })
const text: string = csv.data ?? ''
check('a CSV file', text.startsWith('link,'))

const wrong = await client.POST('/v1/generate-link', { body: { link: 'nowhere' } })
const message: string = wrong.error?.error ?? ''
check('an error', wrong.response.status === 422 && message !== '' && wrong.error?.errors?.['link'] !== undefined)

const removed = await client.POST('/v1/remove-links', { body: { uuid } })
check('a removal', removed.response.status === 200)
`
