import { expect, it } from 'vitest'
import { freePort, runCli, startWaymark } from './support/waymark.ts'

it.each(['1', '2'])('a second server on a data folder is refused, with %s processes', async (workers) => {
  const waymark = await startWaymark({ WORKERS: workers })
  try {
    await waymark.account()
    const second = { DATA_DIR: waymark.dataDir, PORT: String(await freePort()), WORKERS: workers }
    const { code, stdout, stderr } = await runCli(second, 'serve')
    expect([code, stdout]).toEqual([1, ''])
    const today = new Date().toISOString().slice(0, 8)
    expect(stderr).toMatch(
      new RegExp(
        `^waymark: another Waymark runs on ${waymark.dataDir}: process ${waymark.pid}, since ${today}.*\n$`,
      ),
    )
    expect((await fetch(`${waymark.url}/readyz`)).status).toBe(200)
    const users = await waymark.cli('user', 'list', '--json')
    expect([users.code, JSON.parse(users.stdout)]).toEqual([0, [expect.anything()]])
    // Nothing of the lock stays behind.
    await waymark.end('SIGKILL')
    await waymark.restart()
    expect((await waymark.cli('user', 'list', '--json')).code).toBe(0)
  } finally {
    await waymark.stop()
  }
})
