import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stacks } from './support/stacks.ts'
import { call, newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

const STEP_MS = 30_000

/** Writes the name of each module that a process loads to a file. */
const PROBE = `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, load) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n')
    return load(url, context)
  },
})`

const sessionOf = (visitor: Visitor): string =>
  visitor.cookie?.split('; ').find((cookie) => cookie.startsWith('waymark=')) ?? ''

describe.each(Object.entries(stacks))('two-step sign-in with two processes, %s', (_stack, settings) => {
  let waymark: Waymark
  let addresses = 60
  let folder: string
  let loadedAtStart: readonly string[] = []
  /** Packages in the files that were loaded; the released server has several in one file, each named in a comment. */
  const loadedPackages = async (): Promise<string[]> => {
    const urls = new Set((await readFile(join(folder, 'modules'), 'utf8')).split('\n'))
    const files = [...urls].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')))
    const named = [...files, ...texts].flatMap((text) => [
      ...text.matchAll(/node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//g),
    ])
    return [...new Set(named.map(([, name = '']) => name))]
  }
  const newVisitor = (): Visitor => new Visitor(waymark, `127.0.0.${++addresses}`)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-modules-'))
    waymark = await startWaymark({
      ...(await settings()),
      WORKERS: '2',
      LOADED_MODULES: join(folder, 'modules'),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(PROBE)}`,
    })
    loadedAtStart = await loadedPackages()
  })
  afterAll(async () => {
    await waymark?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** An account with an authenticator app. Its next code is that of the step after the one that was used. */
  const withApp = async () => {
    const [visitor, email] = [newVisitor(), newEmail()]
    expect((await visitor.signUp(email)).status).toBe(201)
    const { data } = (await visitor.post('/v1/set-up-totp')).body
    const codeAt = (ms: number): string => generateSync({ secret: data.secret, epoch: Math.floor(ms / 1000) })
    const confirmed = await visitor.post('/v1/confirm-totp', { code: codeAt(Date.now()) })
    expect(confirmed.status).toBe(200)
    const codes: string[] = confirmed.body.data.recovery_codes
    return { visitor, email, codes, nextCode: () => codeAt(Date.now() + STEP_MS) }
  }
  const challengeOf = async (visitor: Visitor, email: string): Promise<string> => {
    const { status, body } = await visitor.signIn(email)
    expect([status, body.data.second_factor]).toEqual([202, ['totp', 'recovery']])
    return body.data.challenge
  }

  it('loads the libraries for it when they are used', async () => {
    const libraries = ['otplib', '@simplewebauthn/server', 'openid-client']
    expect(loadedAtStart).toContain('fastify')
    expect(loadedAtStart.filter((name) => libraries.includes(name))).toEqual([])
    await withApp()
    expect(await loadedPackages()).toContain('otplib')
  })

  it('gives a session after the code, and none before it', async () => {
    const { email, nextCode } = await withApp()
    const visitor = newVisitor()
    const answer = await visitor.signIn(email)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([202, undefined])
    expect((await visitor.get('/v1/profile')).status).toBe(401)
    const { challenge } = answer.body.data
    const wrong = await visitor.post('/v1/verify-second-factor', { challenge, code: '12345' })
    expect([wrong.status, wrong.body.error]).toEqual([401, 'The code is wrong or was already used'])
    const right = await visitor.post('/v1/verify-second-factor', { challenge, code: nextCode() })
    expect([right.status, right.body.data.email]).toEqual([200, email])
    expect((await visitor.get('/v1/profile')).body.data.email).toBe(email)
    const again = await newVisitor().post('/v1/verify-second-factor', { challenge, code: nextCode() })
    expect([again.status, again.body.error]).toEqual([
      401,
      'This sign-in has expired; enter your password again',
    ])
  })

  it('takes each code once, also by several processes at once', async () => {
    const { email, codes, nextCode } = await withApp()
    for (const code of [nextCode(), codes[0]]) {
      const visitors = Array.from({ length: 6 }, newVisitor)
      const challenges = await Promise.all(visitors.map((visitor) => challengeOf(visitor, email)))
      const answers = await Promise.all(
        visitors.map((visitor, n) =>
          visitor.post('/v1/verify-second-factor', { challenge: challenges[n], code }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 401, 401, 401, 401, 401,
      ])
    }
  })

  it('changes the cookie when the user confirms that it is them', async () => {
    const { visitor, codes } = await withApp()
    const before = sessionOf(visitor)
    const wrong = await visitor.post('/v1/reauthenticate', { password: 'Wrong-horse-1' })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']])
    expect((await visitor.post('/v1/reauthenticate', { code: '000 00' })).body.errors).toHaveProperty('code')
    expect((await visitor.post('/v1/reauthenticate')).status).toBe(422)
    expect(sessionOf(visitor)).toBe(before)
    expect((await visitor.post('/v1/reauthenticate', { password: PASSWORD })).status).toBe(200)
    const after = sessionOf(visitor)
    expect(after).not.toBe(before)
    expect((await visitor.post('/v1/reauthenticate', { code: codes[1] })).status).toBe(200)
    expect(sessionOf(visitor)).not.toBe(after)
    expect((await visitor.post('/v1/generate-key', {})).status).toBe(201)
  })

  it('is required of members where the workspace says so, whatever they call with', async () => {
    const { visitor: owner } = await withApp()
    const [member, email] = [newVisitor(), newEmail()]
    expect((await member.signUp(email)).status).toBe(201)
    const refused = await member.post('/v1/edit-workspace', { require_second_factor: true })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { require_second_factor: ['Set up a second factor of your own first'] },
    ])
    const { invite_url } = (await owner.post('/v1/invite-member', { email, role: 'admin' })).body.data
    const token = new URL(invite_url).searchParams.get('token')
    const { uuid } = (await member.post('/v1/accept-invitation', { token })).body.data
    const headers = { 'x-workspace': uuid }
    const reading = () =>
      call(waymark, 'GET', '/v1/links', { headers: { ...headers, cookie: sessionOf(member) } })
    const own = { cookie: sessionOf(member), origin: `http://localhost:${waymark.port}` }
    const made = await call(waymark, 'POST', '/v1/generate-token', {
      headers: { ...headers, ...own },
      body: { name: 'A script' },
    })
    const bearer = { authorization: `Bearer ${made.body.data.token}` }
    expect((await reading()).status).toBe(200)
    expect((await call(waymark, 'GET', '/v1/links', { headers: bearer })).status).toBe(200)
    expect((await owner.post('/v1/edit-workspace', { require_second_factor: true })).status).toBe(200)
    for (const answer of [await reading(), await call(waymark, 'GET', '/v1/links', { headers: bearer })])
      expect([answer.status, answer.body]).toEqual([
        403,
        {
          error: 'This workspace needs a second factor; set one up under Settings, Security',
          second_factor_required: true,
        },
      ])
    expect((await owner.get('/v1/links')).status).toBe(200)
    expect((await member.get('/v1/links')).status).toBe(200)
    const { secret } = (await member.post('/v1/set-up-totp')).body.data
    expect((await member.post('/v1/confirm-totp', { code: generateSync({ secret }) })).status).toBe(200)
    expect((await reading()).status).toBe(200)
  })

  it('ends with the operator’s command', async () => {
    const { visitor, email } = await withApp()
    const reset = async () =>
      JSON.parse((await waymark.cli('user', 'reset-second-factor', '--email', email, '--json')).stdout)
    expect([await reset(), await reset()]).toEqual([
      { email, removed: true },
      { email, removed: false },
    ])
    expect((await newVisitor().signIn(email)).status).toBe(200)
    const { data } = (await visitor.get('/v1/audit-log?operation=user%20reset-second-factor')).body
    expect(data).toMatchObject([{ actor: 'command_line', operation: 'user reset-second-factor' }])
  })
})
