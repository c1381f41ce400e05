import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWaymark, type Waymark } from '../../e2e/support/waymark.ts'
import { load, type Load, type LoadResult } from './load.ts'
import './released.ts'
import type { Contestant } from './rounds.ts'
import { signedScripts } from './signed-script.ts'

const WARM_UP_SECONDS = 3
/** As described in slow-flush.c. */
const { SLOW_FLUSH } = process.env
const settings: Record<string, string> = SLOW_FLUSH === undefined ? {} : { LD_PRELOAD: SLOW_FLUSH }
const root = fileURLToPath(new URL('../..', import.meta.url))

/** A server that has created links for a while, so that the engine has compiled what it runs. */
export interface Creating extends Contestant {
  readonly waymark: Waymark
  readonly apiKey: string
  readonly warm: LoadResult
  /** Signed requests instead of creates. */
  readonly signed: () => Load
}

interface CreatingServers extends AsyncDisposable {
  readonly all: Readonly<Record<string, Creating>>
}

/**
 * This tree as it is released; beside other trees, which run from their sources, this one from its sources, too. Their
 * `load` creates links, with a key only.
 */
export async function startCreating(
  trees: readonly string[],
  load: { readonly connections: number; readonly seconds: number },
): Promise<CreatingServers> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'waymark-creates-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const start = async (options?: Parameters<typeof startWaymark>[1]): Promise<Creating> => {
    const waymark = await startWaymark(settings, options)
    opened.defer(() => waymark.stop())
    return creatingOn(waymark, join(folder, `${waymark.port}.lua`), load)
  }
  const startSources = (tree: string): Promise<Creating> =>
    start({ node: process.execPath, launcher: join(tree, 'packages/server/bin/waymark.mjs') })

  const all: Record<string, Creating> = { 'this tree as released': await start() }
  if (trees.length > 0) all['this tree from the sources'] = await startSources(root)
  for (const tree of trees) all[`${tree} from the sources`] = await startSources(resolve(tree))
  const running = opened.move()
  return { all, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function creatingOn(
  waymark: Waymark,
  script: string,
  given: { readonly connections: number; readonly seconds: number },
): Promise<Creating> {
  const { apiKey, secret } = await waymark.account()
  await writeFile(
    script,
    `wrk.method = "POST"
wrk.body = '{"link":"https://example.com/some/where?with=query"}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "${apiKey}"
`,
  )
  const create = { ...given, path: '/v1/generate-link', script }
  const warm = await load(waymark.url, { ...create, seconds: WARM_UP_SECONDS })
  const nextScript = signedScripts({ apiKey, secret, path: '/v1/tags', folder: dirname(script) })
  const signed = (): Load => ({ ...given, path: '/', script: nextScript() })
  return { waymark, apiKey, warm, signed, server: waymark, load: create }
}
