import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { post } from './support/requests.ts'
import { startWaymark } from './support/waymark.ts'

const MARKER = 'zzmarkerzz'

const filesWith = async (folder: string, marker: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path)).includes(marker)) found.push(path)
  }
  return found
}

it('leaves no trace of a removed account in any file of DATA_DIR', async () => {
  const waymark = await startWaymark()
  const account = await waymark.account()
  const created = await post(waymark, account, '/v1/generate-link', {
    link: `https://example.com/${MARKER}`,
    title: `title ${MARKER}`,
    description: `description ${MARKER}`,
    tag: MARKER,
    customLink: MARKER,
  })
  expect(created.status).toBe(201)
  for (let visit = 0; visit < 20; visit++)
    await fetch(`${waymark.url}/${MARKER}`, {
      redirect: 'manual',
      headers: { referer: `https://${MARKER}.example/`, 'user-agent': 'Mozilla/5.0' },
    })
  await waymark.end('SIGTERM')
  expect(await filesWith(waymark.dataDir, MARKER)).not.toEqual([])

  await waymark.restart()
  const removed = await post(waymark, account, '/v1/remove-account', { reason: 'done' })
  expect(removed.status).toBe(200)
  await expect.poll(() => filesWith(waymark.dataDir, MARKER), { timeout: 90_000 }).toEqual([])
  await waymark.end('SIGTERM')
  expect(await filesWith(waymark.dataDir, MARKER)).toEqual([])
  await waymark.stop()
})
