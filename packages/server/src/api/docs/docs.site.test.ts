import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docsSite } from './docs.site.ts'
import { buildDocs } from './pages.ts'

const BASE_URL = 'https://way.example'
let folder = ''
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-docs-'))
  buildDocs(join(folder, 'docs-site'), join(folder, 'no-dashboard'))
  app = fastify()
  docsSite(BASE_URL, join(folder, 'docs-site'))(app)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

describe('the site of the docs', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/signing', 'text/html; charset=utf-8'],
    ['/docs/signing/', 'text/html; charset=utf-8'],
    ['/docs/signing.md', 'text/markdown; charset=utf-8'],
    ['/docs/reference/generate-link', 'text/html; charset=utf-8'],
    ['/docs/search.json', 'application/json'],
    ['/docs/style.css', 'text/css; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/openapi.json', 'application/json'],
  ])('sends %s as %s', async (url, type) => {
    const { statusCode, headers, payload } = await app.inject(url)
    expect([statusCode, headers['content-type']]).toEqual([200, type])
    expect(payload).not.toContain('instance.invalid')
  })

  it('names this instance in the description', async () => {
    expect((await app.inject('/openapi.json')).json()).toMatchObject({ servers: [{ url: BASE_URL }] })
    expect((await app.inject('/llms.txt')).body).toContain(`${BASE_URL}/docs/signing.md`)
  })

  it.each(['/docs/nothing', '/docs/..%2f..%2fpackage.json', '/docs/reference/..%2findex'])(
    'knows its own pages only: %s',
    async (url) => {
      expect((await app.inject(url)).statusCode).toBe(404)
    },
  )

  it('returns build instructions if it is not built', async () => {
    const unbuilt = fastify()
    docsSite(BASE_URL, join(folder, 'nowhere'))(unbuilt)
    const { statusCode, body } = await unbuilt.inject('/openapi.json')
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build')])
    await unbuilt.close()
  })
})
