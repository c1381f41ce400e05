import { describe, expect, it } from 'vitest'
import type { Data } from '@waymark/contract/schemas'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { DAY_MS } from '../../work/times.ts'
import { testServices } from '../testing.ts'
import { sharedPage } from './shared-page.ts'
import { type SharedReport, SharedStatisticsService } from './shared-statistics.service.ts'
import { createSharedStore } from './shared-statistics.store.ts'

const NO_FIGURES: Data<'analytics'> = {
  uuid: null,
  from: '',
  to: '',
  interval: 'day',
  totals: { clicks: 0, uniques: 0, bots: 0 },
  series: [],
  uniques_exact: true,
  by: null,
  timezone: 'UTC',
  timezone_exact: true,
  previous: null,
  breakdown: [],
}

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)

  const setUp = async () => {
    const { core, modules, newUser } = services()
    const user = await newUser()
    let [nowMs, reads, suspended] = [core.now(), 0, '']
    const shared = new SharedStatisticsService({
      ...core,
      baseUrl: 'https://way.example',
      store: createSharedStore(core.db),
      isSuspended: (workspaceUuid) => workspaceUuid === suspended,
      shortUrl: ({ short_code }) => `https://way.example/${short_code}`,
      pageUrl: ({ slug }) => `https://way.example/p/${slug}`,
      now: () => nowMs,
      analytics: {
        get: () => {
          reads++
          return Promise.resolve({ ...NO_FIGURES, totals: { clicks: reads, uniques: 0, bots: 0 } })
        },
      },
    })
    const newLink = () => modules.links.service.create(user, { link: 'https://example.com/' }, {})
    return {
      core,
      modules,
      user,
      shared,
      newLink,
      caller: { workspaceUuid: user, userUuid: user },
      reads: () => reads,
      pass: (ms: number) => (nowMs += ms),
      suspend: () => (suspended = user),
    }
  }
  const tokenIn = (url: string): string => url.split('/').at(-1) ?? ''

  it('an address works until it is revoked, expires, or its link or workspace is deleted', async () => {
    const { core, modules, user, shared, newLink, caller, pass, suspend } = await setUp()
    const { uuid } = await newLink()
    const share = async (expires_at: number | null = null) =>
      tokenIn((await shared.share(caller, { uuid, expires_at })).shared.shared_url)
    const first = await share()
    expect(await share()).toBe(first)
    const stored = JSON.stringify(await core.db.sql.selectFrom('shared_statistics').selectAll().execute())
    expect(stored).not.toContain(first)
    expect(await shared.find(first)).toMatchObject({ uuid })
    for (const wrong of ['', `${first}x`, first.slice(1), `${first.slice(1)}a`, '../secret'])
      expect(await shared.find(wrong)).toBeUndefined()

    await shared.unshare(user, uuid)
    expect(await shared.find(first)).toBeUndefined()
    await expect(shared.unshare(user, uuid)).rejects.toMatchObject({ code: 'not_found' })

    const second = await share(core.now() + DAY_MS)
    expect(second).not.toBe(first)
    pass(2 * DAY_MS)
    expect([await shared.find(second), await shared.list(user)]).toEqual([undefined, []])
    const third = await share()
    await modules.links.service.owned.remove(user, { uuid })
    expect([await shared.find(third), await shared.list(user)]).toEqual([undefined, []])
    await expect(share()).rejects.toMatchObject({ code: 'not_found' })

    const other = await newLink()
    const fourth = tokenIn((await shared.share(caller, { uuid: other.uuid })).shared.shared_url)
    expect(await shared.find(fourth)).toMatchObject({ uuid: other.uuid })
    suspend()
    expect(await shared.find(fourth)).toBeUndefined()
    await core.db.write(() =>
      core.db.sql.updateTable('workspaces').set({ removed_at: 1 }).where('uuid', '=', user).execute(),
    )
    expect(await shared.list(user)).toEqual([])
  })

  it('is limited per workspace, and not accessible to others', async () => {
    const { core, shared, newLink, caller, user } = await setUp()
    const { uuid } = await newLink()
    const stranger = await services().newUser()
    await expect(
      shared.share({ workspaceUuid: stranger, userUuid: stranger }, { uuid }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const links = await Promise.all(Array.from({ length: 100 }, () => newLink()))
    const store = createSharedStore(core.db)
    await core.db.write(async () => {
      for (const [at, link] of links.entries())
        await store.insert({
          uuid: link.uuid,
          workspace_uuid: user,
          link_uuid: link.uuid,
          page_uuid: null,
          token_hash: `${user} ${at}`,
          token_sealed: core.secrets.seal('x', link.uuid),
          expires_at: null,
          created_by: null,
          created_at: at,
        })
    })
    await expect(shared.share(caller, { uuid })).rejects.toMatchObject({ code: 'too_many_shared' })
    await shared.unshare(user, links[0]?.uuid ?? '')
    expect((await shared.share(caller, { uuid })).isNew).toBe(true)
  })

  it('reads figures once a minute for any number of requests', async () => {
    const { shared, newLink, caller, reads } = await setUp()
    const { uuid } = await newLink()
    const row = await shared.find(tokenIn((await shared.share(caller, { uuid })).shared.shared_url))
    if (row === undefined) throw new Error('It was shared')
    const reports = await Promise.all([7, 30, 7, 30].map((period) => shared.report(row, period as 7 | 30)))
    // One for each of two periods.
    expect(reads()).toBe(2)
    expect(reports[0]).toBe(reports[2])
    await shared.report(row, 7)
    expect(reads()).toBe(2)
  })
})

describe('the page', () => {
  const report: SharedReport = {
    type: 'link',
    name: '<script>alert(1)</script>',
    url: 'https://way.example/"><b>',
    period: 30,
    figures: { ...NO_FIGURES, totals: { clicks: 3, uniques: 2, bots: 9 }, series: [] },
    parts: [{ by: 'referrer', rows: [{ value: '<img src=x>', clicks: 3 }] }],
  }
  const kit = { color: '#112233', accent: null, background: null, logo: 'https://way.example/m/a.webp' }

  it('escapes its content, and allows no script', () => {
    const { html, csp } = sharedPage(report, kit, 'https://way.example')
    expect(html).not.toMatch(/<script|<img src=x|"><b>/)
    expect(html).toContain('<img src="/m/a.webp" alt="">')
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(csp).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(csp).not.toContain('script-src')
  })

  it('labels views of a page as views, and marks the bar of the current day', () => {
    const empty: SharedReport = { ...report, type: 'page', figures: NO_FIGURES }
    expect(sharedPage(empty, kit, '').html).toContain('No views in this period')
    const series = ['2026-01-01', '2026-01-02'].map((day) => ({
      at: `${day}T00:00:00.000Z`,
      clicks: 2,
      uniques: 1,
      bots: 0,
    }))
    const { html } = sharedPage({ ...report, figures: { ...report.figures, series } }, kit, '')
    expect(html.match(/<title>Jan [^<]*/g)).toEqual([
      '<title>Jan 1, 2026: 2 clicks',
      '<title>Jan 2, 2026: 2 clicks, so far',
    ])
    expect(html.match(/class="now"/g)).toHaveLength(1)
  })
})
