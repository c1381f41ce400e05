import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { stacks } from './support/stacks.ts'
import { startWaymark } from './support/waymark.ts'

const TOKEN = 'a token for the figures of this test'
const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1'

const until = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  expect.poll(holds, { message: what, interval: 100 }).toBe(true)

describe.each(Object.keys(stacks) as (keyof typeof stacks)[])('on the %s stack', (stack) => {
  it('a spool that cannot be written stops no visitor, is told, and loses nothing once it is cured', async () => {
    const waymark = await startWaymark({ ...(await stacks[stack]()), METRICS_TOKEN: TOKEN })
    const spool = join(waymark.dataDir, 'spool')
    try {
      const account = await waymark.account()
      const made = await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/there' })
      const { uuid, short_url: url } = made.body.data as { uuid: string; short_url: string }
      const visit = async (): Promise<void> => {
        const response = await fetch(url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
        expect([response.status, response.headers.get('location')]).toEqual([
          302,
          'https://example.com/there',
        ])
      }
      const figure = async (name: string): Promise<number> => {
        const response = await fetch(`${waymark.url}/metrics`, {
          headers: { authorization: `Bearer ${TOKEN}` },
        })
        return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1])
      }
      const clicks = async (): Promise<number> => {
        const { body } = await get(waymark, account, `/v1/analytics?uuid=${uuid}`)
        return body.data.totals.clicks as number
      }
      const ready = async () => {
        const response = await fetch(`${waymark.url}/readyz`)
        const { checks } = (await response.json()) as { checks: { clicks: string } }
        return { status: response.status, clicks: checks.clicks }
      }

      await visit()
      await until('the file in use is closed', async () => {
        const names = await readdir(spool)
        return (await clicks()) === 1 && !names.some((name) => name.endsWith('.spool'))
      })
      expect(await ready()).toEqual({ status: 200, clicks: 'ok' })

      // As when a volume is taken away: what is there now is no folder.
      await rename(spool, `${spool}.away`)
      await writeFile(spool, '')
      for (let n = 0; n < 20; n++) await visit()
      expect(await figure('waymark_spool_fault')).toBe(1)
      const told = await ready()
      expect(told.status).toBe(503)
      expect(told.clicks).not.toBe('ok')
      const tellings = (): number => waymark.output().split('the click spool cannot be written').length - 1
      await expect.poll(tellings).toBe(1)

      await rm(spool)
      await rename(`${spool}.away`, spool)
      await until('clicks arrive again', async () => (await clicks()) === 21)
      expect(await figure('waymark_spool_fault')).toBe(0)
      expect(await figure('waymark_clicks_lost_total')).toBe(0)
      await until('all is well', async () => (await ready()).clicks === 'ok')
      await visit()
      await until('the next click is counted', async () => (await clicks()) === 22)
    } finally {
      await waymark.stop()
    }
  })
})
