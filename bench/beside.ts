// Signed requests, pages and codes of this tree beside those of another one, such as an older commit.
//
//   git worktree add ../older 1b5b845 && (cd ../older && npm ci && npm run build)
//   npm run -s node bench/beside.ts ../older                                    about 20 minutes
//   TURNS=1 ROUNDS=2 SECONDS=1 npm run -s node bench/beside.ts ../older         about 3 minutes
//
// Both trees run their own benchmarks in turn, so that whatever else the machine does meets both alike; the median of
// all turns counts. Only what both print is compared; more is better in every row. Before 2026-11-16 `signed.ts` asked for
// a path that takes signed requests alone: put `/v1/tags` into the older one. `creates.ts ../older` compares creates, round by
// round: what the disk does changes within a turn.
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { resolve } from 'node:path'
import { median } from './support/load.ts'

const run = promisify(execFile)
const turns = Number(process.env['TURNS'] ?? 3)
const [other = ''] = process.argv.slice(2)
const trees = { older: resolve(other), this: fileURLToPath(new URL('..', import.meta.url)) }

/** Each line of a benchmark that has a figure: what it is called and where the figure stands. */
const LINES: Record<string, RegExp> = {
  signed: /^(?<what>signed|unsigned): +(?<figure>\d+)\/s/gm,
  pages: /^(?<what>.+ page), cached: .*?ratio (?<figure>[\d.]+)/gm,
  codes: /^(?<what>\S.*?) +(?<figure>[\d.]+) times/gm,
}
const UNITS: Record<string, string> = {
  signed: 'requests a second',
  pages: 'of bare',
  codes: 'of the library',
}

type Figures = Map<string, number[]>

if (other === '')
  throw new Error('Name the folder of the other tree: npm run -s node bench/beside.ts ../older')
console.log(`medians of ${turns} turns, load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| | older | this tree | this / older |')
console.log('|---|---|---|---|')
for (const [name, line] of Object.entries(LINES)) await compare(name, line)

async function compare(name: string, line: RegExp): Promise<void> {
  const found = { older: new Map() as Figures, this: new Map() as Figures }
  for (let turn = 0; turn < turns; turn++) {
    for (const tree of turn % 2 === 0 ? (['older', 'this'] as const) : (['this', 'older'] as const))
      await measure(trees[tree], name, line, found[tree])
  }
  for (const [what, own] of found.this) {
    const theirs = found.older.get(what)
    if (theirs === undefined) continue
    const [before, after] = [median(theirs), median(own)]
    const cells = [`${what} ${UNITS[name] ?? ''}`.trim(), before, after, `**${(after / before).toFixed(2)}**`]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function measure(tree: string, name: string, line: RegExp, into: Figures): Promise<void> {
  const { stdout } = await run(process.execPath, [`bench/${name}.ts`], { cwd: tree }).catch(
    (error: Error) => {
      console.log(`| ${name}: failed in ${tree} | | | |`)
      console.error(error.message)
      return { stdout: '' }
    },
  )
  for (const { groups } of stdout.matchAll(line)) {
    const what = groups?.['what'] ?? ''
    into.set(what, [...(into.get(what) ?? []), Number(groups?.['figure'])])
  }
}
