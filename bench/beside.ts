// Signed requests, pages and codes of this tree beside those of another one, such as an older commit.
//
//   git worktree add ../older 1b5b845 && (cd ../older && npm ci && npm run build)
//   npm run -s node bench/beside.ts ../older                         about 6 minutes
//   ROUNDS=5 SECONDS=1 npm run -s node bench/beside.ts ../older      about 2 minutes
//
// Both servers run from their sources all the while and are asked in turn, round by round, and codes are drawn in turns of
// 50 ms, so that whatever else the machine does meets both alike; the medians count. The last column is the processor time
// of the older tree over that of this one: above 1, this one is faster. `creates.ts ../older` compares creates.
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as codes from '@waymark/codes'
import type * as barcodes from '@waymark/codes/barcodes'
import { publish } from '../e2e/support/showcase.ts'
import { type Account, startWaymark, type Waymark } from '../e2e/support/waymark.ts'
import type * as plainPng from '../packages/server/src/imaging/codes/plain-png.ts'
import { type Load, load, median } from './support/load.ts'
import { type Contestant, inRounds } from './support/rounds.ts'
import { signedScripts } from './support/signed-script.ts'

const rounds = Number(process.env['ROUNDS'] ?? 15)
const seconds = Number(process.env['SECONDS'] ?? 2)
const CODE_TURNS = 40
const CODE_TURN_MS = 50
/** Long enough for the engine to compile what a request runs. */
const WARM_UP_SECONDS = 2

const [other = ''] = process.argv.slice(2)
if (other === '')
  throw new Error('Name the folder of the other tree: npm run -s node bench/beside.ts ../older')
const trees = { older: resolve(other), this: fileURLToPath(new URL('..', import.meta.url)) }

console.log(`medians of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| µs of processor time | older | this tree | older / this |')
console.log('|---|---|---|---|')
await compareServers()
await compareCodes()

function print(what: string, older: number, own: number): void {
  console.log(`| ${what} | ${older.toFixed(1)} | ${own.toFixed(1)} | **${(older / own).toFixed(2)}** |`)
}

interface Side extends AsyncDisposable {
  readonly waymark: Waymark
  readonly loads: Readonly<Record<string, () => Load>>
}

async function compareServers(): Promise<void> {
  await using older = await startSide(trees.older)
  await using own = await startSide(trees.this)
  for (const [what, begin] of Object.entries(own.loads)) {
    const theirs = older.loads[what] ?? begin
    await load(older.waymark.url, { ...theirs(), seconds: WARM_UP_SECONDS })
    await load(own.waymark.url, { ...begin(), seconds: WARM_UP_SECONDS })
    const measured = await inRounds(rounds, {
      older: contestant(older.waymark, theirs),
      own: contestant(own.waymark, begin),
    })
    const wrong = measured.older.errors + measured.own.errors
    if (wrong > 0) throw new Error(`${what}: ${wrong} answers were wrong`)
    print(`${what}, serving thread`, measured.older.serving, measured.own.serving)
    print(`${what}, all threads`, measured.older.all, measured.own.all)
  }
}

function contestant(server: Waymark, begin: () => Load): Contestant {
  return {
    server,
    get load() {
      return begin()
    },
  }
}

async function startSide(tree: string): Promise<Side> {
  await using opened = new AsyncDisposableStack()
  const program = { node: process.execPath, launcher: join(tree, 'packages/server/bin/waymark.mjs') }
  const waymark = await startWaymark({}, program)
  opened.defer(() => waymark.stop())
  const folder = await mkdtemp(join(tmpdir(), 'waymark-beside-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const account = await waymark.account()
  for (const page of ['bare', 'full']) await publish(waymark, account, page)
  const running = opened.move()
  return { waymark, loads: loadsOf(account, folder), [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function loadsOf({ apiKey, secret }: Account, folder: string): Record<string, () => Load> {
  const api = { connections: 32, seconds }
  const page = { connections: 64, seconds }
  const nextScript = signedScripts({ apiKey, secret, path: '/v1/profile', folder })
  return {
    'request with a key alone': () => ({
      ...api,
      path: '/v1/links?limit=10',
      headers: [`X-API-KEY: ${apiKey}`],
    }),
    'signed request': () => ({ ...api, path: '/', script: nextScript() }),
    'plain page': () => ({ ...page, path: '/p/bare' }),
    'full page': () => ({ ...page, path: '/p/full' }),
  }
}

type Draw = () => unknown

async function compareCodes(): Promise<void> {
  const [older, own] = [await codesOf(trees.older), await codesOf(trees.this)]
  for (const [what, draw] of Object.entries(own)) {
    const theirs = older[what] ?? draw
    await turn(theirs)
    await turn(draw)
    const times: Record<'older' | 'own', number[]> = { older: [], own: [] }
    for (let at = 0; at < CODE_TURNS; at++) {
      times.older.push(await turn(theirs))
      times.own.push(await turn(draw))
    }
    print(what, median(times.older), median(times.own))
  }
}

/** Microseconds of processor time for each drawing. */
async function turn(draw: Draw): Promise<number> {
  const [begin, before] = [performance.now(), process.cpuUsage()]
  let drawn = 0
  while (performance.now() - begin < CODE_TURN_MS) {
    await draw()
    drawn++
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / drawn
}

async function codesOf(tree: string): Promise<Record<string, Draw>> {
  const from = async <Module>(file: string): Promise<Module> =>
    (await import(pathToFileURL(join(tree, file)).href)) as Module
  const { drawQr, toSvg } = await from<typeof codes>('packages/codes/src/index.ts')
  const { drawBarcode } = await from<typeof barcodes>('packages/codes/src/barcodes.ts')
  const { plainPngSync } = await from<typeof plainPng>('packages/server/src/imaging/codes/plain-png.ts')

  const draws: Record<string, Draw> = {}
  for (const length of [40, 200]) {
    const text = 'https://example.com/a/path?with=a&query=42'.padEnd(length, '/aB3-xY9').slice(0, length)
    draws[`QR code as SVG, ${length} characters`] = () => toSvg(drawQr({ text, level: 'H' }))
    draws[`QR code as PNG, ${length} characters`] = () =>
      plainPngSync(drawQr({ text, size: 300, level: 'H' }))
  }
  const text = 'https://example.com/a/path?with=a&query'
  for (const symbology of ['code128', 'datamatrix'] as const)
    for (const caption of ['', 'Table 7'])
      draws[`${symbology} as SVG${caption && ', with a caption'}`] = async () =>
        toSvg(await drawBarcode({ text, symbology, caption }))
  return draws
}
