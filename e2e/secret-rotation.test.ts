import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { stacks } from './support/stacks.ts'
import { runCli, startWaymark } from './support/waymark.ts'

const [OLD, NEW] = ['the secret of last year, long enough', 'the secret of this year, long enough']

it.each(Object.keys(stacks) as (keyof typeof stacks)[])(
  '%s: keys, webhooks and tombstones survive a change of the secret',
  async (stack) => {
    const settings = await stacks[stack]()
    let waymark = await startWaymark({ ...settings, SECRET_KEY: OLD })
    const { port, dataDir } = waymark
    const again = { ...settings, PORT: String(port), DATA_DIR: dataDir }
    try {
      const account = await waymark.account()
      const link = (await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/' })).body
        .data
      await post(waymark, account, '/v1/remove-links', { uuid: link.uuid, permanent: true })
      await waymark.end()

      waymark = await startWaymark({ ...again, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })
      // Signed with a secret that was sealed before.
      expect((await get(waymark, account, '/v1/profile')).status).toBe(200)
      const rotated = await waymark.cli('admin', 'rotate-secret', '--json')
      expect(JSON.parse(rotated.stdout)).toMatchObject({ sealed: expect.any(Number) as number })
      expect((JSON.parse(rotated.stdout) as { sealed: number }).sealed).toBeGreaterThanOrEqual(2)
      expect((await get(waymark, account, '/v1/profile')).status).toBe(200)
      await waymark.end()

      waymark = await startWaymark({ ...again, SECRET_KEY: NEW })
      expect((await get(waymark, account, '/v1/profile')).status).toBe(200)
      expect((await fetch(link.short_url as string, { redirect: 'manual' })).status).toBe(410)
      const sample = await runCli({ ...again, SECRET_KEY: 'CHANGE-ME-please-change-me' }, 'key', 'list')
      expect([sample.code, sample.stderr]).toEqual([1, expect.stringContaining('SECRET_KEY')])

      // The former secret alone no longer opens anything.
      const wrong = { ...again, SECRET_KEY: OLD, PORT: '0' }
      const secretOf = async (env: Record<string, string>) => {
        const { stdout } = await runCli(env, 'doctor', '--json')
        const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] }
        return checks.find(({ name }) => name === 'secret')?.state
      }
      expect(await secretOf({ ...again, SECRET_KEY: NEW })).toBe('ok')
      expect(await secretOf(wrong)).toBe('failed')
      await waymark.end()
      for (const command of ['serve', 'migrate']) {
        const { code, stdout, stderr } = await runCli(wrong, command)
        expect([command, code, stdout]).toEqual([command, 1, ''])
        expect(stderr).toMatch(
          /^waymark: SECRET_KEY .* is not the secret that this data is encrypted with.*\n$/,
        )
      }
      waymark = await startWaymark({ ...again, SECRET_KEY: NEW })
      expect((await get(waymark, account, '/v1/profile')).status).toBe(200)
    } finally {
      await waymark.stop()
    }
  },
)
