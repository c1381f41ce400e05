import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@waymark/sdk'
import { expect, it } from 'vitest'
import { BROWSER, leastForm, newSlug } from './support/pages.ts'
import { get, multipart, post, sign } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account, Waymark } from './support/waymark.ts'

const run = promisify(execFile)
const url = 'https://example.com/takeout'

/** Unpacks an archive with the machine's own tar; the rows of each kind, and the names of the files. */
const unpack = async (archive: Uint8Array) => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-takeout-'))
  await writeFile(join(folder, 'a.tar.gz'), archive)
  await run('tar', ['-xzf', 'a.tar.gz'], { cwd: folder })
  const names = (await readdir(folder, { recursive: true })).filter((name) => name !== 'a.tar.gz')
  // oxlint-disable-next-line typescript/no-explicit-any -- rows are looked into freely
  const rows: Record<string, any[]> = {}
  let text = ''
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const content = await readFile(join(folder, name), 'utf8')
    text += content
    const kind = name.replace(/-\d+\.jsonl$/, '')
    rows[kind] = [
      ...(rows[kind] ?? []),
      ...content
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]
  }
  await rm(folder, { recursive: true })
  return { names, rows, text }
}

const takeoutOf = async (waymark: Waymark, { apiKey, secret }: Account) =>
  unpack(await createClient({ baseUrl: waymark.url, apiKey, secret }).takeout())

forEachStack((waymark) => {
  it('holds everything of the account, and nothing of others or secret', async () => {
    const [account, other] = [await waymark().account(), await waymark().account()]
    await post(waymark(), other, '/v1/generate-link', { link: `${url}/other`, title: 'of-another' })
    const links = Array.from({ length: 600 }, (_, n) => ({ link: `${url}/${n}` }))
    const made = (await post(waymark(), account, '/v1/generate-links', { links })).body.data
    await post(waymark(), account, '/v1/generate-barcode', { url })
    await post(waymark(), account, '/v1/add-feedback', { feedback: 'well done' })
    await post(waymark(), account, '/v1/edit-brand-kit', { color: '#0b5d4a' })
    await post(waymark(), account, '/v1/add-webhook', { url: 'https://receiver.example/' })
    const page = (await post(waymark(), account, '/v1/generate-page', multipart(await leastForm(newSlug()))))
      .body.data
    await fetch(made[0].short_url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
    const isCounted = async () =>
      (await get(waymark(), account, `/v1/links?uuid=${made[0].uuid}`)).body.data[0].clicks
    await expect.poll(isCounted).toBe(1)

    const { names, rows, text } = await takeoutOf(waymark(), account)
    expect(names).toContain('README.txt')
    expect(rows['links']?.map(({ uuid }) => uuid)).toEqual(
      expect.arrayContaining([...made.map(({ uuid }: { uuid: string }) => uuid), page.short_link.uuid]),
    )
    expect(rows['links']?.find(({ uuid }) => uuid === made[5].uuid)).toEqual(made[5])
    expect(rows['pages']?.map(({ uuid }) => uuid)).toEqual([page.uuid])
    expect(rows['barcodes']).toHaveLength(1)
    expect(rows['profile']?.[0].email).toBe(account.email)
    expect(rows['brandKit']).toMatchObject([{ color: '#0b5d4a' }])
    expect(rows['feedback']?.[0].feedback).toBe('well done')
    expect(rows['webhooks']).toHaveLength(1)
    expect(rows['clicks']).toMatchObject([{ resource_uuid: made[0].uuid, kind: 'link', bot: false }])
    expect(names.filter((name) => name.startsWith('files/'))).toHaveLength(1)
    for (const secret of [account.secret, 'of-another', other.email, 'password_hash', '$argon2'])
      expect(text, secret).not.toContain(secret)
  })

  it('needs the signature', async () => {
    const account = await waymark().account()
    const asked = (headers: Record<string, string>) => fetch(`${waymark().url}/v1/takeout`, { headers })
    expect((await asked({ 'x-api-key': account.apiKey })).status).toBe(401)
    const answer = await asked(sign(account, 'GET', '/v1/takeout'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    await answer.arrayBuffer()
  })
})
