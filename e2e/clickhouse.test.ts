import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { killUnderLoad } from './support/click-kills.ts'
import { BROWSER } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { askServices } from './support/stacks.ts'
import { type Account, METRICS_TOKEN, startWaymark, type Waymark } from './support/waymark.ts'

/** One node whose single clicks are in a ClickHouse that the tests stop. */
describe.runIf(inject('hasClickHouse'))('with ClickHouse', () => {
  let clickhouse: Record<string, string>
  let waymark: Waymark
  let account: Account
  let link: { uuid: string; short_url: string }

  const service = (command: string) => askServices(`own/${clickhouse['id']}/${command}`)
  const visit = async (): Promise<number> => {
    const headers = { 'user-agent': BROWSER }
    return (await fetch(link.short_url, { redirect: 'manual', headers })).status
  }
  const seen = async (): Promise<number> => {
    const { status, body } = await get(waymark, account, `/v1/analytics?uuid=${link.uuid}`)
    return status === 200 ? body.data.totals.clicks : -1
  }
  const readiness = async () => {
    const response = await fetch(`${waymark.url}/readyz`)
    return [response.status, ((await response.json()) as { checks: Record<string, string> }).checks['clicks']]
  }
  const waitingSeconds = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics = await (await fetch(`${waymark.url}/metrics`, { headers })).text()
    return Number(/^waymark_clicks_waiting_seconds (.*)$/m.exec(metrics)?.[1])
  }
  const clickhouseOf = async (): Promise<string> => {
    const { stdout } = await waymark.cli('doctor', '--json')
    const checks = JSON.parse(stdout).checks as { name: string; state: string; detail: string }[]
    const found = checks.find(({ name }) => name === 'ClickHouse')
    return `${found?.state}: ${found?.detail}`
  }

  beforeAll(async () => {
    clickhouse = await askServices('own/clickhouse')
    waymark = await startWaymark({ CLICKS_URL: clickhouse['url'] ?? '' })
    account = await waymark.account()
    const fields = { link: 'https://example.com/', customLink: 'clicked' }
    link = (await post(waymark, account, '/v1/generate-link', fields)).body.data
  })
  afterAll(async () => {
    await waymark?.stop()
    await service('stop')
  })

  it('statistics, exports and archives read single clicks from there', async () => {
    for (let n = 0; n < 3; n++) expect(await visit()).toBe(302)
    await expect.poll(seen).toBe(3)
    const csv = await get(waymark, account, '/v1/export-clicks')
    expect(String(csv.body).split('\r\n')).toHaveLength(5)
    expect((await get(waymark, account, '/v1/takeout')).status).toBe(200)
    expect(await clickhouseOf()).toMatch(/^ok: version \d+\.\d+\S*, batches waiting in the database: 0/)
    const backup = await waymark.cli('backup', `${waymark.dataDir}/backup.tar`)
    expect(backup.stdout).toContain('Single clicks in ClickHouse are not part of it')
  })

  it('during an outage redirects and totals go on, and what needs ClickHouse is 503', async () => {
    await service('halt')
    // Before there is anything to send.
    await expect.poll(readiness).toEqual([200, 'waiting'])
    for (let n = 0; n < 3; n++) expect(await visit()).toBe(302)
    for (const path of ['/v1/analytics', '/v1/export-clicks', '/v1/takeout']) {
      const { status, headers } = await get(waymark, account, path)
      expect([path, status, headers.has('retry-after')]).toEqual([path, 503, true])
    }
    const total = async () => (await get(waymark, account, `/v1/links?uuid=${link.uuid}`)).body.data[0].clicks
    await expect.poll(total).toBe(6)
    await expect.poll(readiness).toEqual([200, 'waiting'])
    await expect.poll(waitingSeconds).toBeGreaterThan(0)
    expect(await clickhouseOf()).toMatch(/^failed: ClickHouse cannot be reached/)
    await service('resume')
    await expect.poll(seen).toBe(6)
    await expect.poll(readiness).toEqual([200, 'ok'])
    expect(waymark.output().match(/clicks are not sent to ClickHouse/g)).toHaveLength(1)
    await sleep(1_500)
    expect(await seen()).toBe(6)
  })

  it('a ClickHouse that does not respond is an outage, too', async () => {
    await service('freeze')
    await expect.poll(readiness).toEqual([200, 'waiting'])
    for (const path of ['/v1/analytics', '/v1/export-clicks']) {
      const { status, headers } = await get(waymark, account, path)
      expect([path, status, headers.has('retry-after')]).toEqual([path, 503, true])
    }
    await service('thaw')
    await expect.poll(readiness).toEqual([200, 'ok'])
    expect(await seen()).toBe(6)
  })

  it('without CLICKS_URL, what needs those clicks is 503 until they are given up', async () => {
    const url = waymark.env['CLICKS_URL'] ?? ''
    const restart = async (clicksUrl: string | undefined): Promise<string> => {
      await waymark.end()
      const before = waymark.output().length
      if (clicksUrl === undefined) delete waymark.env['CLICKS_URL']
      else waymark.env['CLICKS_URL'] = clicksUrl
      await waymark.restart()
      return waymark.output().slice(before)
    }
    const paths = ['/v1/analytics', '/v1/export-clicks', '/v1/takeout', '/v1/live?recent=1']
    const outcomes = () =>
      Promise.all(
        paths.map(async (path) => {
          const { status, body, headers } = await get(waymark, account, path)
          return [status, body.error, headers.has('retry-after')]
        }),
      )
    const shared = await post(waymark, account, '/v1/share-statistics', { uuid: link.uuid })
    const { shared_url } = shared.body.data
    const given = await waymark.cli('clicks', 'forget')
    expect([given.code, given.stderr]).toEqual([1, expect.stringContaining('CLICKS_URL is set')])

    const today = new Date().toISOString().slice(0, 10)
    const sentence = `The clicks from ${today} to ${today} (UTC) are in ClickHouse and CLICKS_URL is not set: set it again, or run waymark clicks fetch or waymark clicks forget`
    const started = await restart(undefined)
    expect(started.match(/"level":40.*/g)).toEqual([expect.stringContaining(`"msg":"${sentence}"`)])
    expect(await outcomes()).toEqual(paths.map(() => [503, sentence, true]))
    const page = await fetch(shared_url)
    expect([page.status, page.headers.has('retry-after'), await page.text()]).toEqual([
      503,
      true,
      expect.stringContaining(sentence),
    ])
    expect(await clickhouseOf()).toMatch(/^failed: The clicks from .* are in ClickHouse/)
    // Other periods and accounts, totals and redirects go on.
    const earlier = await get(waymark, account, '/v1/analytics?from=2020-01-01&to=2020-02-01')
    expect([earlier.status, earlier.body.data.totals.clicks]).toEqual([200, 0])
    expect((await get(waymark, await waymark.account(), '/v1/analytics')).status).toBe(200)
    expect((await get(waymark, account, '/v1/links')).body.data[0].clicks).toBe(6)
    expect(await visit()).toBe(302)
    // No line for each response.
    expect(waymark.output().split(sentence)).toHaveLength(2)

    const forgotten = await waymark.cli('clicks', 'forget', '--json')
    expect(JSON.parse(forgotten.stdout)).toEqual({ forgotten: true, from: today, to: today })
    const again = await waymark.cli('clicks', 'forget', '--json')
    expect(JSON.parse(again.stdout)).toEqual({ forgotten: false, from: null, to: null })
    const { body: log } = await get(waymark, account, '/v1/audit-log?operation=clicks%20forget')
    expect(log.data).toMatchObject([{ actor: 'command_line', operation: 'clicks forget' }])
    expect((await get(waymark, account, '/v1/takeout')).status).toBe(200)
    await expect.poll(seen).toBe(1)
    expect(await restart(undefined)).not.toContain('ClickHouse')

    await restart(url)
    await expect.poll(seen).toBe(7)
    // What was given up is found in ClickHouse again.
    expect(await restart(undefined)).toContain(sentence)
    await restart(url)
  })

  it('waymark clicks fetch brings the clicks back, and the service goes on without ClickHouse', async () => {
    await waymark.end()
    const { stdout, code } = await waymark.cli('clicks', 'fetch')
    expect([code, stdout.trim()]).toEqual([
      0,
      'Fetched 7 clicks. Unset CLICKS_URL before you start the service.',
    ])
    delete waymark.env['CLICKS_URL']
    expect((await waymark.cli('clicks', 'fetch')).stderr).toContain('CLICKS_URL is not set')
    await waymark.restart()
    expect(await seen()).toBe(7)
    expect(await visit()).toBe(302)
    await expect.poll(seen).toBe(8)
  })

  it('a start without ClickHouse logs one line', async () => {
    const alone = await startWaymark({ CLICKS_URL: 'http://waymark:waymark@127.0.0.1:1/waymark' })
    const lines = () => alone.output().match(/"level":[45]0/g)?.length ?? 0
    await expect.poll(lines).toBe(1)
    // Periodic jobs run within seconds after a start.
    await sleep(3_000)
    await alone.stop()
    expect([lines(), alone.output()]).toEqual([
      1,
      expect.stringContaining('clicks are not sent to ClickHouse'),
    ])
  })

  it('a kill of the server, of ClickHouse and of the server loses no click and counts none twice', async () => {
    const { id, url = '' } = await askServices('own/clickhouse')
    const own = (command: string) => askServices(`own/${id}/${command}`)
    const killed = { url, kill: () => own('halt'), resume: () => own('resume') }
    const { redirects, underWay, clicks, total } = await killUnderLoad({}, 3, killed)
    await own('stop')
    console.log(`${redirects} redirects, ${clicks} clicks, total ${total}, ${underWay} under way`)
    expect(clicks).toBe(total)
    expect(clicks).toBeGreaterThanOrEqual(redirects)
    expect(clicks).toBeLessThanOrEqual(redirects + underWay)
  })
})
