import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { entryOf, filesOf, readManifest, sizesOf } from '../build/first-load.ts'

const KILOBYTE = 1024
/** What a visitor's first load may weigh, script and style together. */
const FIRST_LOAD = 200 * KILOBYTE
/** What one screen may add to it; the barcode studio brings its encoders and letters. */
const ROUTE = 60 * KILOBYTE
const BARCODE_STUDIO = 160 * KILOBYTE

const root = resolve(import.meta.dirname, '..')
let folder = ''

beforeAll(async () => {
  // What people load is built for production, whatever runs this test.
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
  test('loads in under 200 KB', () => {
    const manifest = readManifest(folder)
    const first = filesOf(manifest, entryOf(manifest))
    expect([...first].some((file) => file.endsWith('.css'))).toBe(true)
    expect(gzipOf(first)).toBeLessThan(FIRST_LOAD)
  })

  test('loads each screen when it is asked for, and little at that', () => {
    const manifest = readManifest(folder)
    const first = filesOf(manifest, entryOf(manifest))
    const screens = Object.keys(manifest).filter((key) => /^src\/screens\/.*\.tsx$/.test(key))
    expect(screens.length).toBeGreaterThan(12)
    for (const screen of screens) {
      const more = [...filesOf(manifest, screen)].filter((file) => !first.has(file))
      const limit = screen.endsWith('barcode-studio.tsx') ? BARCODE_STUDIO : ROUTE
      expect(gzipOf(more), screen).toBeLessThan(limit)
    }
  })

  test('has no inline script and asks no other host', async () => {
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    expect(html).not.toMatch(/\bstyle=|<style/)
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\/app\//)
  })
})
