import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { entryOf, filesOf, readManifest, sizesOf } from '../build/first-load.ts'

const KILOBYTE = 1024

const root = resolve(import.meta.dirname, '..')
/** Size limits of a first visit, and of each screen on top of it. A change that needs more changes this file. */
const budget = JSON.parse(await readFile(join(root, 'budget.json'), 'utf8')) as {
  firstLoad: number
  screen: number
  screens: Record<string, number>
  visits: { signIn: number; home: number }
}
let folder = ''

beforeAll(async () => {
  // Built for production, whatever the environment of this test.
  vi.stubEnv('NODE_ENV', 'production')
  folder = await mkdtemp(join(tmpdir(), 'waymark-web-'))
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: folder },
  })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const gzipOf = (files: Iterable<string>): number =>
  sizesOf(folder, files).reduce((sum, size) => sum + size.gzip, 0)

describe('the built dashboard', () => {
  test('loads within its budget', () => {
    const manifest = readManifest(folder)
    const first = filesOf(manifest, entryOf(manifest))
    expect([...first].some((file) => file.endsWith('.css'))).toBe(true)
    expect(gzipOf(first)).toBeLessThan(budget.firstLoad * KILOBYTE)
  })

  test.each([
    { visit: 'signIn', parts: ['screens/auth/sign-in.tsx'], faces: ['overpass-common'] },
    {
      visit: 'home',
      // Including what is loaded immediately afterwards.
      parts: ['screens/home/home.tsx', 'shell/palette.tsx'],
      faces: ['overpass-common', 'overpass-mono-common'],
    },
  ] as const)('$visit loads within its budget', ({ visit, parts, faces }) => {
    const manifest = readManifest(folder)
    const packed = new Set(
      [entryOf(manifest), ...parts.map((part) => `src/${part}`)].flatMap((key) => [
        ...filesOf(manifest, key),
      ]),
    )
    const sent = sizesOf(folder, ['index.html', ...packed]).reduce((sum, size) => sum + size.brotli, 0)
    // Fonts are compressed already.
    const fonts = faces.flatMap((name) => [...filesOf(manifest, `src/styles/fonts/${name}.woff2`)])
    expect(fonts).toHaveLength(faces.length)
    const total = fonts.reduce((sum, file) => sum + statSync(join(folder, file)).size, sent)
    expect(total).toBeLessThan(budget.visits[visit] * KILOBYTE)
  })

  test('loads each screen on demand, within its budget', () => {
    const manifest = readManifest(folder)
    const first = filesOf(manifest, entryOf(manifest))
    const screens = Object.keys(manifest).filter((key) => /^src\/screens\/.*\.tsx$/.test(key))
    expect(screens.length).toBeGreaterThan(12)
    for (const screen of screens) {
      const more = [...filesOf(manifest, screen)].filter((file) => !first.has(file))
      const limit = budget.screens[screen.replace('src/screens/', '')] ?? budget.screen
      expect(gzipOf(more), screen).toBeLessThan(limit * KILOBYTE)
    }
  })

  test('loads the library for passkeys when one is used', async () => {
    const manifest = readManifest(folder)
    const isLibrary = async (file: string): Promise<boolean> =>
      file.endsWith('.js') && (await readFile(join(folder, file), 'utf8')).includes('allowCredentials')
    const all = new Set(Object.keys(manifest).flatMap((key) => [...filesOf(manifest, key)]))
    const having = (
      await Promise.all([...all].map(async (file) => ((await isLibrary(file)) ? file : [])))
    ).flat()
    expect(having).toHaveLength(1)
    const early = ['screens/auth/sign-in.tsx', 'screens/home/home.tsx', 'screens/settings/security.tsx']
    for (const key of [entryOf(manifest), ...early.map((screen) => `src/${screen}`)])
      expect(filesOf(manifest, key)).not.toContain(having[0])
  })

  test('shows navigation before the script, has no inline script and no requests to other hosts', async () => {
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    expect(html).not.toMatch(/\bstyle=|<style/)
    expect(html).toContain('<a href="/app/links">Links</a>')
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\/app\//)
  })
})
