import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPECTED, installSdk, type InstalledSdk } from '../test/installed-sdk.ts'

describe('the published package', () => {
  let sdk: InstalledSdk
  beforeAll(async () => {
    sdk = await installSdk()
  }, 180_000)
  afterAll(() => sdk.remove())
  const read = (path: string): string => readFileSync(join(sdk.package, path), 'utf8')

  it('holds what is needed and nothing else', () => {
    expect(readdirSync(sdk.package).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'index.js',
      'package.json',
      'types',
    ])
    const manifest = JSON.parse(read('package.json')) as Record<string, unknown>
    expect(manifest).toMatchObject({ name: '@waymark/sdk', type: 'module', license: 'MIT' })
    for (const key of ['private', 'dependencies', 'devDependencies']) expect(manifest).not.toHaveProperty(key)
  })

  it('needs nothing from elsewhere', () => {
    expect(read('index.js')).not.toMatch(/^\s*(?:import|export)\b[^;]*\bfrom\b/m)
    expect(read('index.js')).not.toContain('node:crypto')
  })

  it('documents every method and every field', () => {
    const lines = read('types/operations.d.ts').split('\n')
    const members = lines.flatMap((line, at) => (/^ {4}\w+[?(]?.*[:(](?!.*\binfer\b)/.test(line) ? [at] : []))
    expect(members.length).toBeGreaterThan(400)
    expect(members.filter((at) => !lines[at - 1]?.includes('*/')).map((at) => lines[at])).toEqual([])
    expect(read('types/operations.d.ts')).toContain('Create a short link.')
    expect(read('types/operations.d.ts')).toContain('The destination: an http or https URL.')
  })

  it.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])(
    'compiles strictly with $moduleResolution resolution, and runs',
    async (options) => {
      const program = await sdk.compile(options)
      const { printed, requests } = await sdk.consume(process.execPath, program)
      expect(printed).toEqual(EXPECTED)
      expect(requests.every(({ headers }) => headers['x-trace'] === '1')).toBe(true)
    },
    120_000,
  )

  it('has the types that this repository has', async () => {
    await sdk.compareTypes()
  }, 120_000)
})
