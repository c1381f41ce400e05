import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/*
 * Who may import whom. Imports are read as text, so that a type-only import, which does not exist at run time, is an
 * arrow as well: a room that knows another's types knows that room.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g
interface Arrow {
  readonly from: string
  readonly to: string
}

const isTest = (file: string): boolean =>
  /\.(?:test|testing)\.tsx?$|testing\.ts$|[-.]child\.ts$|readback-cases\.ts$/.test(file)

const files = ['packages/*/src/**/*.{ts,tsx}', 'e2e/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => file.replaceAll('\\', '/'))

const arrows: Arrow[] = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(IMPORT)].flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? ''
    if (specifier.startsWith('.')) return [{ from, to: normalize(join(dirname(from), specifier)) }]
    const [, workspace] = /^@waymark\/([^/]+)/.exec(specifier) ?? []
    return workspace === undefined ? [] : [{ from, to: `packages/${workspace}/src/index.ts` }]
  }),
)
const production = arrows.filter(({ from }) => !isTest(from))

const server = (path: string): RegExp => new RegExp(`^packages/server/src/${path}`)

/** Arrows from here to there, unless the exception holds. */
const between = (from: RegExp, to: RegExp, except: (arrow: Arrow) => boolean = () => false): string[] =>
  production
    .filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && !except(arrow))
    .map((arrow) => `${arrow.from} → ${arrow.to}`)

const moduleOf = (file: string): string | undefined => server('modules/([^/]+)/').exec(file)?.[1]

describe('who may import whom', () => {
  it('reads the imports at all', () => {
    expect(files.length).toBeGreaterThan(300)
    expect(between(server('app.ts'), server('modules/')).length).toBeGreaterThan(10)
  })

  it('the packages below know nothing above them', () => {
    expect(between(/^packages\/(contract|codes|page)\//, /^packages\/(sdk|web|server)\//)).toEqual([])
    expect(between(/^packages\/contract\//, /^packages\/(codes|page)\//)).toEqual([])
    expect(between(/^packages\/codes\//, /^packages\/(contract|page)\//)).toEqual([])
    expect(between(/^packages\/page\//, /^packages\/(contract|codes)\//)).toEqual([])
    expect(between(/^packages\/sdk\//, /^packages\/(codes|page|web|server)\//)).toEqual([])
    expect(between(/^packages\/web\//, /^packages\/server\//)).toEqual([])
    expect(between(/^packages\/server\//, /^packages\/(sdk|web)\//)).toEqual([])
  })

  it('the platform knows no module, no redirect, no clicks, no site', () => {
    expect(between(server('platform/'), server('(modules|redirect|clicks|sites|commands)/'))).toEqual([])
    expect(between(server('platform/'), server('(app|config|serve|main|cli)\\.ts'))).toEqual([])
  })

  it('redirects never call a service nor the query builder', () => {
    expect(between(server('redirect/'), server('(modules|sites)/'))).toEqual([])
    expect(
      between(server('redirect/'), server('clicks/'), ({ to }) => /clicks\/(spool|record)\.ts$/.test(to)),
    ).toEqual([])
    const builders = files.filter((file) => server('redirect/').test(file) && !isTest(file))
    for (const file of builders) expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/from 'kysely'/)
  })

  it('clicks know the platform alone', () => {
    expect(between(server('clicks/'), server('(modules|redirect|sites)/'))).toEqual([])
  })

  it('routes call services, services call stores, and stores the database', () => {
    expect(between(server('modules/.*\\.store\\.ts'), server('modules/.*\\.(service|routes)\\.ts'))).toEqual(
      [],
    )
    expect(between(server('modules/.*\\.service\\.ts'), server('modules/.*\\.routes\\.ts'))).toEqual([])
    expect(between(server('modules/.*\\.routes\\.ts'), server('modules/.*\\.store\\.ts'))).toEqual([])
    expect(between(server('modules/.*\\.routes\\.ts'), server('platform/db/'))).toEqual([])
  })

  it('modules know no site and nobody but app.ts knows the routes', () => {
    expect(between(server('modules/'), server('(sites|redirect)/'))).toEqual([])
    expect(between(/^packages\/server\/src\/(?!app\.ts)/, server('modules/.*\\.routes\\.ts'))).toEqual([])
  })

  it('modules depend on each other without circles', () => {
    const graph = new Map<string, Set<string>>()
    for (const { from, to } of production) {
      const [a, b] = [moduleOf(from), moduleOf(to)]
      if (a !== undefined && b !== undefined && a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b))
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(graph.get(from) ?? [])].some((next) => {
        if (next === to) return true
        if (seen.has(next)) return false
        seen.add(next)
        return reaches(next, to, seen)
      })
    expect([...graph.keys()].filter((module) => reaches(module, module))).toEqual([])
  })

  it('only config.ts reads the environment', () => {
    const readers = files.filter(
      (file) =>
        server('').test(file) &&
        !isTest(file) &&
        /process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    // They hand it over whole; nobody looks a variable up but config.ts.
    for (const file of readers)
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/process\.env(?:\.|\[)/)
  })

  it('the outside tests import nothing from the server', () => {
    expect(arrows.filter(({ from, to }) => from.startsWith('e2e/') && server('').test(to))).toEqual([])
  })

  it('the SDK ships no schema', () => {
    const shipped = files.filter(
      (file) => file.startsWith('packages/sdk/src/') && !/\.test(-d)?\.ts$/.test(file),
    )
    for (const file of shipped) {
      const text = readFileSync(join(root, file), 'utf8')
      for (const line of text.split('\n').filter((line) => line.includes('@waymark/contract/schemas')))
        expect(line).toMatch(/^(?:import|export) type|^\} from/)
    }
  })
})
