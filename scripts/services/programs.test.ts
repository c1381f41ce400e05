import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needProgram } from './programs.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-programs-'))
  for (const name of ['second-name', 'not-executable']) await writeFile(join(folder, name), '')
  await chmod(join(folder, 'second-name'), 0o755)
  await chmod(join(folder, 'not-executable'), 0o644)
})

afterAll(() => rm(folder, { recursive: true }))

it('finds a program under any of its names', async () => {
  const found = needProgram(['first-name', 'second-name'], 'a-package', {
    folders: [folder],
    mayInstall: false,
  })
  expect(await found).toBe(join(folder, 'second-name'))
})

it.each([true, false])('says in one line what to install when it cannot (root: %s)', async (mayInstall) => {
  // Without an apt-get in the folders nothing can be installed, root or not.
  const missing = needProgram(['not-executable'], 'a-package', { folders: [folder], mayInstall })
  await expect(missing).rejects.toThrow(
    /^Tests need not-executable on the PATH: .*apt-get install a-package\)$/,
  )
})
