import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const BUILT_AT = new Date('2026-01-02')

let clone = ''
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'waymark-launcher-'))
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  await cp(join(root, 'packages/server/bin'), join(clone, 'packages/server/bin'), { recursive: true })
  for (const name of ['cli', 'codes', 'contract', 'page', 'sdk', 'server'])
    await write(`packages/${name}/src/deep/index.ts`, '', '2026-01-01')
  await write('packages/server/src/main.ts', `console.log('sources')`, '2026-01-01')
  await write('packages/server/package.json', '{"type":"module"}', '2026-01-01')
  for (const name of ['cli', 'codes', 'contract', 'page', 'sdk', 'server'])
    for (const folder of ['src', 'src/deep']) await utimes(join(clone, 'packages', name, folder), 0, 0)
})
afterEach(() => rm(clone, { recursive: true }))

const write = async (name: string, text: string, changedAt: string | Date): Promise<void> => {
  const file = join(clone, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  await utimes(file, new Date(changedAt), new Date(changedAt))
}

const build = async (): Promise<void> => {
  await write('packages/server/build/dist/main.js', `console.log('build')`, BUILT_AT)
  await write('packages/server/build/package.json', '{"type":"module"}', BUILT_AT)
}

const started = async (): Promise<string> => {
  const launcher = join(clone, 'packages/server/bin/waymark.mjs')
  return (await run(process.execPath, [launcher, 'serve'])).stdout.trim()
}

describe('the launcher of a clone', () => {
  it('runs the sources if nothing is built', async () => {
    expect(await started()).toBe('sources')
  })

  it('runs the build', async () => {
    await build()
    expect(await started()).toBe('build')
  })

  it.each([
    'packages/server/src/main.ts',
    'packages/contract/src/deep/index.ts',
    'packages/page/src/added.ts',
    'packages/web/dist/index.html',
  ])('runs the sources if %s is newer', async (file) => {
    await build()
    await write(file, `console.log('sources')`, '2026-01-03')
    expect(await started()).toBe('sources')
  })

  it('runs the sources if one of them was removed', async () => {
    await build()
    await rm(join(clone, 'packages/codes/src/deep/index.ts'))
    expect(await started()).toBe('sources')
  })

  it('runs the build if only a test is newer', async () => {
    await build()
    await write('packages/server/src/main.test.ts', '', '2026-01-03')
    await utimes(join(clone, 'packages/server/src'), 0, 0)
    expect(await started()).toBe('build')
  })
})
