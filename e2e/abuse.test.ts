import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from './support/mailbox.ts'
import { untilRoomInMinute } from './support/minutes.ts'
import { onStack } from './support/stacks.ts'
import { leastNested, newSlug, until, wrongFields } from './support/pages.ts'
import { type Answered, answered, get, json, multipart, post, urlencoded } from './support/requests.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

describe('with two processes', () => {
  let mailbox: Mailbox
  let waymark: Waymark
  let account: Account
  let blocklist: string

  beforeAll(async () => {
    mailbox = await openMailbox()
    blocklist = join(await mkdtemp(join(tmpdir(), 'waymark-blocklist-')), 'hosts.txt')
    await writeFile(blocklist, '# listed\nlisted.example\n.suffix.example\n')
    waymark = await startWaymark({
      SMTP_URL: mailbox.url,
      ABUSE_CONTACT: 'abuse@example.com',
      BLOCKLIST_FILE: blocklist,
      WORKERS: '2',
    })
    account = await newAccount()
  })
  afterAll(async () => {
    await waymark?.stop()
    await mailbox?.close()
  })

  /** By the command line, because addresses are confirmed by mail here. */
  const newAccount = async (): Promise<Account> => {
    const email = `abuse-${Math.random().toString(36).slice(2)}@example.com`
    const password = 'Correct-horse-1'
    await admin('user', 'create', '--email', email, '--password', password)
    const { api_key, secret } = await admin('key', 'create', '--email', email)
    return { email, password, apiKey: String(api_key), secret: String(secret) }
  }
  const admin = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr, code } = await waymark.cli('admin', ...words, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const visit = (url: string, headers: Record<string, string> = {}) =>
    fetch(url, { redirect: 'manual', headers }).then(answered)
  /**
   * A decision holds everywhere within two seconds, and any of the workers may get a request: each of them is asked
   * until it answers so.
   */
  const reaches = async (status: number, ask: () => Promise<Answered>): Promise<Answered> => {
    const answer = await until(ask, (last) => last.status === status)
    expect(answer.status).toBe(status)
    return answer
  }
  const isMailed = (text: string) => expect.poll(() => mailbox.mails.join('\n')).toContain(text)
  const newLink = async (link: string, more: object = {}) =>
    (await post(waymark, account, '/v1/generate-link', { link, ...more })).body.data

  it('blocks a link everywhere within two seconds, and tells its owner why', async () => {
    const link = await newLink('https://secret.example/place')
    expect((await visit(link.short_url)).status).toBe(302)
    await admin('link', 'block', link.short_url, '--reason', 'Phishing')
    const blocked = await reaches(410, () => visit(link.short_url))
    expect(blocked.body).toContain('This link is blocked')
    expect(blocked.body).toContain('abuse@example.com')
    expect(blocked.body).not.toContain('secret.example')
    const asJson = await reaches(410, () => visit(link.short_url, { accept: 'application/json' }))
    expect(asJson.body).toEqual({ error: 'Link blocked; contact abuse@example.com' })
    await expect.poll(async () => (await visit(`${link.short_url}+`)).body).not.toContain('secret.example')
    const blockedOf = async () =>
      (await get(waymark, account, `/v1/links?uuid=${link.uuid}`)).body.data[0].blocked
    await expect.poll(blockedOf).toMatchObject({ reason: 'Phishing' })
    await isMailed('Reason: Phishing')
    await admin('link', 'unblock', link.code)
    await reaches(302, () => visit(link.short_url))
    await expect.poll(blockedOf).toBeNull()
  })

  it('blocks a host: links that lead there show a notice, and new ones are rejected', async () => {
    const link = await newLink('https://evil.example/x', { ios_url: 'https://fine.example/' })
    const device = await newLink('https://fine.example/', { ios_url: 'https://evil.example/' })
    const other = await newLink('https://sub.evil.example/')
    await admin('host', 'block', 'evil.example', '--reason', 'Malware')
    for (const { short_url } of [link, device]) await reaches(410, () => visit(short_url))
    expect((await visit(other.short_url)).status).toBe(302)
    const refused = await reaches(422, () =>
      post(waymark, account, '/v1/generate-link', { link: 'https://evil.example/' }),
    )
    expect(wrongFields(refused)).toEqual(['link'])
    const hosts = (await admin('host', 'list')) as unknown as { host: string; reason: string }[]
    expect(hosts).toContainEqual(expect.objectContaining({ host: 'evil.example', reason: 'Malware' }))
    await admin('host', 'unblock', 'evil.example')
    await reaches(302, () => visit(link.short_url))
  })

  it('suspends an account: 403 for it, a notice in place of its links and pages', async () => {
    const suspect = await newAccount()
    const link = (await post(waymark, suspect, '/v1/generate-link', { link: 'https://example.com/' })).body
      .data
    const page = (await post(waymark, suspect, '/v1/generate-page', leastNested(newSlug()))).body.data
    expect((await visit(page.page_url)).status).toBe(200)
    await admin('user', 'suspend', '--email', suspect.email, '--reason', 'Spam')
    for (const url of [link.short_url, page.page_url]) await reaches(410, () => visit(url))
    const refused = await reaches(403, () => get(waymark, suspect, '/v1/links'))
    expect(refused.body).toEqual({ error: 'This account is suspended' })
    const { email, password } = suspect
    const encoded = json({ email, password })
    const signIn = {
      method: 'POST',
      headers: { 'content-type': encoded.type, origin: waymark.url },
      body: new Uint8Array(encoded.bytes),
    }
    await reaches(403, () => fetch(`${waymark.url}/v1/sign-in`, signIn).then(answered))
    await isMailed('Reason: Spam')
    await admin('user', 'resume', '--email', suspect.email)
    await reaches(302, () => visit(link.short_url))
    await reaches(200, () => get(waymark, suspect, '/v1/links'))
  })

  it('holds destinations against BLOCKLIST_FILE at create, edit and import, and reads it again', async () => {
    const create = (link: string, more: object = {}) =>
      post(waymark, account, '/v1/generate-link', { link, ...more })
    for (const url of [
      'https://listed.example/',
      'https://LISTED.example./a',
      'http://a.suffix.example:8080/',
    ])
      expect([url, wrongFields(await create(url))]).toEqual([url, ['link']])
    expect((await create('https://sub.listed.example/')).status).toBe(201)
    expect(
      wrongFields(await create('https://example.com/', { android_url: 'https://suffix.example/' })),
    ).toEqual(['android_url'])
    const link = await newLink('https://later.example/')
    const edited = await post(waymark, account, '/v1/edit-links', {
      uuid: link.uuid,
      link: 'https://listed.example/',
    })
    expect(wrongFields(edited)).toEqual(['link'])
    const file = 'link\nhttps://listed.example/\n'
    const imported = await post(
      waymark,
      account,
      '/v1/import-links',
      multipart([{ name: 'file', value: file, filename: 'links.csv', type: 'text/csv' }]),
    )
    expect(imported.status).toBe(422)
    const dynamic = multipart([
      { name: 'url', value: 'https://listed.example/' },
      { name: 'pattern', value: 'squares' },
      { name: 'dynamic', value: 'true' },
    ])
    expect(wrongFields(await post(waymark, account, '/v1/generate-qr', dynamic))).toEqual(['url'])

    await writeFile(blocklist, 'later.example\n')
    await reaches(422, () => create('https://later.example/'))
    expect((await visit(link.short_url)).status).toBe(302)
    const listed = (await admin('links', '--listed')) as unknown as { uuid: string; email: string }[]
    expect(listed).toContainEqual(expect.objectContaining({ uuid: link.uuid, email: account.email }))
  })

  it('takes reports about a link, a few per minute', async () => {
    const link = await newLink('https://example.com/reported')
    expect((await visit(`${link.short_url}+`)).body).toContain('Report this link')
    const report = async () => {
      const { bytes, type } = urlencoded({ reason: 'It asks for\r\nBcc: my password' })
      const sent = { method: 'POST', headers: { 'content-type': type }, body: new Uint8Array(bytes) }
      return (await fetch(`${link.short_url}+`, sent)).status
    }
    await untilRoomInMinute()
    expect(await report()).toBe(200)
    const mail = await until(
      async () => mailbox.mails.find((text) => text.includes(`Reported link: ${link.short_url}`)) ?? '',
      (found) => found !== '',
    )
    // Without the line breaks that the encoding of the mail adds.
    const text = mail.replaceAll(/=\r?\n/g, '')
    expect(text).toContain('It asks for Bcc: my password')
    expect(text).toContain('https://example.com/reported')
    const statuses = [await report(), await report(), await report(), await report()]
    expect(statuses.at(-1)).toBe(429)
  })
})

onStack(
  'embedded',
  (waymark) => {
    it('a suspension or block whose mail fails is done, with a warning', async () => {
      const email = 'without-mail@example.com'
      await waymark().cli('user', 'create', '--email', email, '--password', 'Correct-horse-1')
      const { stdout } = await waymark().cli('key', 'create', '--email', email, '--json')
      const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
      const account = { email, password: '', apiKey, secret }
      const { code } = (await post(waymark(), account, '/v1/generate-link', { link: 'https://example.com/' }))
        .body.data
      for (const words of [
        ['link', 'block', code],
        ['user', 'suspend', '--email', email],
      ]) {
        const { code: exit, stdout: out, stderr } = await waymark().cli('admin', ...words)
        expect([words, exit, out.trim().split(' ')[0]]).toEqual([
          words,
          0,
          words[0] === 'link' ? 'Blocked' : 'Suspended',
        ])
        expect(stderr).toMatch(/^waymark: warning: the mail to the owner could not be sent: .*\n$/)
      }
      const status = async () => (await get(waymark(), account, '/v1/links')).status
      await expect.poll(status, { timeout: 20_000 }).toBe(403)
    })
  },
  // Nothing listens there.
  { SMTP_URL: 'smtp://127.0.0.1:1' },
)
