import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, startLoad } from './load.ts'
import { get, post } from './requests.ts'
import { type Account, startWaymark, type Waymark } from './waymark.ts'

/** A ClickHouse that can be killed and started again. */
interface KilledClickHouse {
  readonly url: string
  kill(): Promise<unknown>
  resume(): Promise<unknown>
}

export interface Counted {
  /** Visitors who got their redirect. */
  readonly redirects: number
  /** Connections that broke before the response: their clicks may or may not be counted. */
  readonly underWay: number
  /** In the statistics, and in the total of the link. */
  readonly clicks: number
  readonly total: number
}

const COUNTED_MS = 120_000

/**
 * Kills the server and ClickHouse in turn under load, and compares the clicks with the redirects at the end. Without a
 * ClickHouse the server alone.
 */
export async function killUnderLoad(
  settings: Record<string, string>,
  kills: number,
  clickhouse?: KilledClickHouse,
): Promise<Counted> {
  const waymark = await startWaymark({ ...settings, ...(clickhouse && { CLICKS_URL: clickhouse.url }) })
  try {
    const account = await waymark.account()
    const link = { link: 'https://example.com/killed', customLink: 'killed' }
    const { uuid, short_url } = (await post(waymark, account, '/v1/generate-link', link)).body.data
    const loads: Load[] = []
    for (let round = 0; round < kills; round++) {
      const load = startLoad([short_url], 4)
      loads.push(load)
      await sleep(300 + Math.random() * 700)
      if (clickhouse !== undefined && round % 2 === 1) {
        await clickhouse.kill()
        await sleep(Math.random() * 500)
        await load.stop()
        await clickhouse.resume()
      } else {
        await waymark.end('SIGKILL')
        const stopped = load.stop()
        await waymark.restart()
        await stopped
      }
    }
    const sum = (of: (load: Load) => number): number => loads.reduce((all, load) => all + of(load), 0)
    const redirects = sum((load) => load.answered())
    await settled(waymark, account, uuid, redirects)
    return {
      redirects,
      underWay: sum((load) => load.broken()),
      clicks: await clicksOf(waymark, account, uuid),
      total: await totalOf(waymark, account, uuid),
    }
  } finally {
    await waymark.stop()
  }
}

const clicksOf = async (waymark: Waymark, account: Account, uuid: string): Promise<number> => {
  const { status, body } = await get(waymark, account, `/v1/analytics?uuid=${uuid}`)
  return status === 200 ? body.data.totals.clicks : -1
}

const totalOf = async (waymark: Waymark, account: Account, uuid: string): Promise<number> =>
  (await get(waymark, account, `/v1/links?uuid=${uuid}`)).body.data[0].clicks

/** Until the statistics have all clicks, and have been the same for two seconds. */
async function settled(waymark: Waymark, account: Account, uuid: string, least: number): Promise<void> {
  const deadline = Date.now() + COUNTED_MS
  let last = -1
  for (let calm = 0; calm < 4 && Date.now() < deadline;) {
    await sleep(500)
    const now = await clicksOf(waymark, account, uuid)
    calm = now === last && now >= least ? calm + 1 : 0
    last = now
  }
}
