import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/*
 * Who may import whom. Imports are read as text, so that type-only imports, which do not exist at run time, count as
 * well: a folder that uses another's types depends on that folder.
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
    if (specifier === '@waymark/codes/symbology') return [{ from, to: 'packages/codes/src/symbology.ts' }]
    return workspace === undefined ? [] : [{ from, to: `packages/${workspace}/src/index.ts` }]
  }),
)
const production = arrows.filter(({ from }) => !isTest(from))

/** Folders of modules: what accounts own, and the accounts themselves. */
const MODULES = '(?:modules|accounts)'

const server = (path: string): RegExp => new RegExp(`^packages/server/src/${path}`)

/** Imports from one place to another, except the allowed ones. */
const between = (from: RegExp, to: RegExp, except: (arrow: Arrow) => boolean = () => false): string[] =>
  production
    .filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && !except(arrow))
    .map((arrow) => `${arrow.from} → ${arrow.to}`)

/** Groups of places that reach each other, each sorted; empty without cycles. Tarjan's algorithm. */
function cyclesOf(graph: readonly Arrow[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of graph) targets.set(from, [...(targets.get(from) ?? []), to])
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (place: string): void => {
    order.set(place, order.size)
    lowest.set(place, order.get(place) ?? 0)
    open.push(place)
    for (const next of targets.get(place) ?? []) {
      if (!order.has(next)) visit(next)
      if (open.includes(next))
        lowest.set(place, Math.min(lowest.get(place) ?? 0, lowest.get(next) ?? 0, order.get(next) ?? 0))
    }
    if (lowest.get(place) !== order.get(place)) return
    const group = open.splice(open.indexOf(place))
    if (group.length > 1 || (targets.get(place) ?? []).includes(place)) cycles.push(group.sort())
  }
  for (const place of targets.keys()) if (!order.has(place)) visit(place)
  return cycles
}

/** The parts that every module may use include the configuration. */
const isCore = ({ from, to }: Arrow): boolean =>
  from.endsWith('/modules/module.ts') && to.endsWith('/src/config.ts')

const moduleOf = (file: string): string | undefined => server(`${MODULES}/([^/]+)/`).exec(file)?.[1]

describe('who may import whom', () => {
  it('finds imports', () => {
    expect(files.length).toBeGreaterThan(300)
    expect(between(server('compose/'), server('modules/')).length).toBeGreaterThan(10)
  })

  it('has no import cycles, including type-only imports', () => {
    expect(cyclesOf(production)).toEqual([])
  })

  it('lower packages import nothing above them', () => {
    expect(between(/^packages\/(contract|codes|page)\//, /^packages\/(cli|sdk|web|server)\//)).toEqual([])
    // Only the table of symbologies, which imports nothing.
    const isTable = ({ to }: Arrow): boolean => to === 'packages/codes/src/symbology.ts'
    expect(between(/^packages\/contract\//, /^packages\/(codes|page)\//, isTable)).toEqual([])
    expect(between(/^packages\/codes\//, /^packages\/(contract|page)\//)).toEqual([])
    expect(between(/^packages\/page\//, /^packages\/(contract|codes)\//)).toEqual([])
    expect(between(/^packages\/sdk\//, /^packages\/(cli|codes|page|web|server)\//)).toEqual([])
    expect(between(/^packages\/cli\//, /^packages\/(codes|page|web|server)\//)).toEqual([])
    expect(between(/^packages\/web\//, /^packages\/(cli|server)\//)).toEqual([])
    expect(between(server('(?!commands/|cli\\.ts)'), /^packages\/cli\//)).toEqual([])
    expect(between(/^packages\/server\//, /^packages\/(sdk|web)\//)).toEqual([])
  })

  it('the folders of the server are those of the layout', () => {
    const folders = new Set(files.flatMap((file) => server('([^/]+)/').exec(file)?.[1] ?? []))
    expect([...folders].sort()).toEqual(
      [
        'accounts',
        'api',
        'clicks',
        'commands',
        'compose',
        'imaging',
        'modules',
        'net',
        'storage',
        'visitors',
        'work',
      ].sort(),
    )
  })

  it('net, work, storage and imaging import nothing above them', () => {
    const above = server('(accounts|modules|visitors|api|clicks|commands|compose)/')
    expect(between(server('(net|work|storage|imaging)/'), above)).toEqual([])
    expect(between(server('(net|work|storage)/'), server('imaging/'))).toEqual([])
    expect(
      between(server('(?!compose/|commands/)[a-z]+/'), server('(config|main|cli)\\.ts'), isCore),
    ).toEqual([])
  })

  it('clicks import only storage, net and work', () => {
    expect(
      between(server('clicks/'), server('(accounts|modules|visitors|api|imaging|commands|compose)/')),
    ).toEqual([])
  })

  it('only main, cli and the commands import compose', () => {
    expect(between(server('(?!compose/|commands/|main\\.ts|cli\\.ts)'), server('compose/'))).toEqual([])
    expect(between(server('(?!commands/|cli\\.ts)'), server('commands/'))).toEqual([])
  })

  it('visitors do not import Fastify', () => {
    const served = files.filter((file) => server('visitors/').test(file) && !isTest(file))
    expect(served.length).toBeGreaterThan(30)
    for (const file of served)
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/from '@?fastify/)
  })

  it('visitors import no service, and the redirect path no query builder', () => {
    // Pages are found through their store, which the visitors' page cache uses.
    const readsRows = ({ to }: Arrow): boolean =>
      /\.store\.ts$|(page-buttons|page-config|page-images|page-response|barcode-look|qr-look)\.ts$/.test(to)
    expect(between(server('visitors/(?!pages/|pictures/)'), server('modules/'))).toEqual([])
    expect(between(server('visitors/'), server('accounts/'))).toEqual([])
    expect(between(server('visitors/(pages|pictures)/'), server('modules/'), readsRows)).toEqual([])
    expect(between(server('visitors/'), server('api/'), ({ to }) => to.includes('/api/body/'))).toEqual([])
    expect(
      between(server('visitors/'), server('clicks/'), ({ to }) =>
        /\/clicks\/(?:spool|attributes)\//.test(to),
      ),
    ).toEqual([])
    const builders = files.filter((file) => server('visitors/(links/|front)').test(file) && !isTest(file))
    for (const file of builders) expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/from 'kysely'/)
  })

  it('the API imports no module, and of visitors only what their pages and its own share', () => {
    expect(between(server('api/'), server(`${MODULES}/`))).toEqual([])
    expect(
      between(server('api/'), server('visitors/'), ({ to }) => to.endsWith('/visitors/site.ts')),
    ).toEqual([])
  })

  it('modules import only the types and builders of routes and pages from above', () => {
    const builders = /\/api\/(routes|authenticate|rate-meter|body\/schema-fields)\.ts$|\/visitors\/site\.ts$/
    expect(between(server(`${MODULES}/`), server('(api|visitors)/'), ({ to }) => builders.test(to))).toEqual(
      [],
    )
  })

  it('only compose imports the modules imports and bulk-edits', () => {
    expect(between(server('(?!modules/imports/|compose/)'), server('modules/imports/'))).toEqual([])
    expect(between(server('(?!modules/bulk-edits/|compose/)'), server('modules/bulk-edits/'))).toEqual([])
  })

  it('accounts import of modules only the type of a module and lists', () => {
    const shared = /\/modules\/(module|owned\/[a-z-]+)\.ts$/
    expect(between(server('accounts/'), server('modules/'), ({ to }) => shared.test(to))).toEqual([])
  })

  it('services and stores do not import HTTP', () => {
    expect(between(server('.*\\.(service|store)\\.ts$'), server('api/'))).toEqual([])
    const services = files.filter((file) => /\.(?:service|store)\.ts$/.test(file))
    expect(services.length).toBeGreaterThan(30)
    for (const file of services)
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/from '(?:fastify|node:http2?)'/)
  })

  it('routes call services, services call stores, and stores the database', () => {
    const store = server(`${MODULES}/.*\\.store\\.ts`)
    const service = server(`${MODULES}/.*\\.service\\.ts`)
    const routes = server(`${MODULES}/.*\\.routes\\.ts`)
    expect(between(store, service)).toEqual([])
    expect(between(store, routes)).toEqual([])
    expect(between(service, routes)).toEqual([])
    expect(between(routes, store)).toEqual([])
    expect(between(routes, server('storage/db/'))).toEqual([])
    expect(between(server('(?!modules/|accounts/|compose/)'), routes)).toEqual([])
  })

  it('every service and store has a test beside it', () => {
    const tested = new Set(
      arrows.filter(({ from, to }) => isTest(from) && dirname(from) === dirname(to)).map(({ to }) => to),
    )
    const hasTest = (file: string): boolean =>
      tested.has(file) || files.includes(file.replace(/\.ts$/, '.test.ts'))
    const parts = files.filter((file) => server('.*\\.(service|store)\\.ts$').test(file))
    expect(parts.length).toBeGreaterThan(30)
    expect(parts.filter((file) => !hasTest(file))).toEqual([])
  })

  it('modules have no dependency cycles', () => {
    const folders = production.flatMap(({ from, to }) => {
      const [a, b] = [moduleOf(from), moduleOf(to)]
      return a !== undefined && b !== undefined && a !== b ? [{ from: a, to: b }] : []
    })
    expect(cyclesOf(folders)).toEqual([])
  })

  it('only config.ts reads the environment', () => {
    const readers = files.filter(
      (file) =>
        server('').test(file) &&
        !isTest(file) &&
        /process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    // They pass it on as a whole; only config.ts reads variables.
    for (const file of readers)
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/process\.env(?:\.|\[)/)
  })

  it('the server imports only types of node:http, which would load undici at every start', () => {
    const importers = files.filter(
      (file) =>
        server('').test(file) &&
        !isTest(file) &&
        /^import (?!type\b)[^']*'node:http'/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(importers).toEqual([])
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
