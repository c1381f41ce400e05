import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleServer } from './bundle-server.ts'
import { KEPT } from './server-package.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('../../packages/server/src', import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-bundle-'))
  await writeFile(join(folder, 'package.json'), '{"type":"module","version":"1.2.3"}')
  await bundleServer(source, folder, KEPT)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('runs without any other installed package', async () => {
  const { stdout } = await run(process.execPath, [join(folder, 'dist/cli.js'), '--version'])
  expect(stdout.trim()).toBe('1.2.3')
})

it('includes the migrations and the data files of packages', async () => {
  const files = await readdir(join(source, 'storage/db/migrations'))
  const expected = files.flatMap((name) => (name.endsWith('.ts') ? [name.replace(/\.ts$/, '.js')] : []))
  expect(expected.length).toBeGreaterThan(0)
  expect(await readdir(join(folder, 'dist/migrations'))).toEqual(expect.arrayContaining(expected))
  const data = await readdir(join(folder, 'data'))
  expect(data).toEqual(
    expect.arrayContaining([expect.stringMatching(/\.mmdb$/), expect.stringMatching(/\.woff2$/)]),
  )
})

it('resolves no package by name at run time', async () => {
  const { stdout } = await run('grep', ['-rlE', 'import\\.meta\\s*\\.?resolve', join(folder, 'dist')]).catch(
    (error: { code: number; stdout: string }) => {
      if (error.code !== 1) throw error
      return error
    },
  )
  expect(stdout).toBe('')
})

it('has no file that V8 would store with two bytes per character', async () => {
  const names = (await readdir(join(folder, 'dist'))).filter((name) => name.endsWith('.js'))
  const server = names.find((name) => name.startsWith('serve-')) ?? ''
  for (const name of names)
    expect(await readFile(join(folder, 'dist', name), 'utf8'), name).not.toMatch(/[^\0-\u00ff]/)
  // Node reads larger files with two bytes per character, whatever their content.
  expect((await readFile(join(folder, 'dist', server))).length).toBeLessThan(1_000_000)
})
