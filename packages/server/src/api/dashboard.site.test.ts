import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { dashboardSite } from './dashboard.site.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function open(files: Record<string, string>) {
  const distDir = await mkdtemp(join(tmpdir(), 'waymark-dashboard-'))
  folders.push(distDir)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(distDir, name, '..'), { recursive: true })
    await writeFile(join(distDir, name), text)
  }
  const app = fastify()
  dashboardSite(distDir)(app)
  return app
}

it('503 with build instructions, for every address of a dashboard that is not built', async () => {
  const app = await open({})
  for (const url of ['/app', '/app/links', '/app/assets/index.js']) {
    const response = await app.inject(url)
    expect(response.statusCode).toBe(503)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('npm run build')
  }
  await app.close()
})

it('200 with its page, for every address of a built dashboard', async () => {
  const app = await open({ 'index.html': '<p>dashboard', 'index.html.br': 'small', 'assets/index.js': '1' })
  for (const url of ['/app', '/app/links']) {
    const response = await app.inject(url)
    expect([response.statusCode, response.body]).toEqual([200, '<p>dashboard'])
    expect(response.headers['cache-control']).toBe('no-cache')
    expect([response.headers.etag, response.headers['last-modified']]).toEqual([undefined, undefined])
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect([packed.body, packed.headers['content-encoding']]).toEqual(['small', 'br'])
    expect(packed.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(packed.headers['content-security-policy']).toContain("script-src 'self'")
  }
  expect((await app.inject('/app/assets/index.js')).headers['cache-control']).toContain('immutable')
  await app.close()
})
