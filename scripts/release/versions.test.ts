import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
const versionIn = (path: string): string => (JSON.parse(read(path)) as { version: string }).version

it('is the same version everywhere', () => {
  // The contract has the version of the API.
  const packages = globSync('packages/*/package.json', { cwd: root }).filter(
    (path) => !path.includes('contract'),
  )
  const inPython = ['clients/python/pyproject.toml', 'clients/python/src/waymark/__init__.py'].map(
    (path) => /version\w* = "([^"]+)"/.exec(read(path))?.[1],
  )
  const found = [...packages.map(versionIn), versionIn('package-lock.json'), ...inPython]
  expect(packages.length).toBeGreaterThan(0)
  expect(new Set(found)).toEqual(new Set([versionIn('package.json')]))
})
