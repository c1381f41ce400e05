import * as fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type FuzzRequest, fuzzRequests } from '../support/fuzz-requests.ts'
import { cpuSeconds } from '../support/isolation.ts'
import { watchMemory } from '../support/memory.ts'
import { leastForm, newSlug } from '../support/pages.ts'
import { answered, type Answered, multipart, post, sign } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import { Visitor } from '../support/visitors.ts'
import type { Account, Waymark } from '../support/waymark.ts'

/*
 * Sends every operation of the table random bodies, queries, headers and files: none may be answered with a fault of
 * the server's, or take long to work on, and memory stays bounded. FUZZ_SECONDS and FUZZ_SEED change how long and which ones.
 */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 20)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_115)
/** Processor time of a whole server, also for what it does beside a request. */
const MAX_SECONDS = 2
/** A host that stops this machine for some seconds must not look like a server that does not answer. */
const GIVE_UP_MS = 60_000
const MAX_MEGABYTES = 700
const RENEWED_AFTER = 200
/** The person that the requests come from; somebody else after the account was removed. */
interface Sender {
  account: Account
  cookie: string
  uuids: string[]
}

const newSender = async (waymark: Waymark): Promise<Sender> => {
  const account = await waymark.account()
  const visitor = new Visitor(waymark)
  await visitor.signIn(account.email, account.password)
  const url = 'https://example.com/'
  const made = [
    await post(waymark, account, '/v1/generate-link', { link: url }),
    await post(waymark, account, '/v1/generate-qr', { url, pattern: 'dots', dynamic: true }),
    await post(waymark, account, '/v1/generate-barcode', { url }),
    await post(waymark, account, '/v1/generate-page', multipart(await leastForm(newSlug()))),
    await post(waymark, account, '/v1/generate-utm', {
      url,
      source: 's',
      medium: 'm',
      campaign: 'c',
      content: 'x',
      shorten: true,
    }),
    await post(waymark, account, '/v1/add-webhook', { url: 'https://receiver.example/' }),
  ]
  return { account, cookie: visitor.cookie ?? '', uuids: made.map(({ body }) => body.data.uuid as string) }
}

const send = async (waymark: Waymark, sender: Sender, request: FuzzRequest): Promise<Answered> => {
  const { method, path, auth } = request.operation
  const target = path + request.query
  const proof: Record<string, string> =
    auth === 'session'
      ? { cookie: sender.cookie, origin: waymark.url }
      : auth === 'none'
        ? {}
        : sign(sender.account, method, target, request.body?.digest)
  return answered(
    await fetch(waymark.url + target, {
      method,
      redirect: 'manual',
      headers: {
        ...(request.body !== undefined && { 'content-type': request.body.type }),
        ...proof,
        ...request.headers,
      },
      signal: AbortSignal.timeout(GIVE_UP_MS),
      ...(request.body !== undefined && { body: new Uint8Array(request.body.bytes) }),
    }),
  )
}

/** 503 is fine where the gate says when to come again. */
const isFault = ({ status, headers }: Answered): boolean =>
  status >= 500 && !(status === 503 && headers.has('retry-after'))

// PostgreSQL rejects texts and numbers that SQLite stores.
onStack('servers', (waymark) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await newSender(waymark())
  })

  it(
    'no request is answered with a fault of the server, or takes long to work on',
    async () => {
      const memory = watchMemory(waymark())
      const statuses = new Map<number, number>()
      let dearest = 0
      let sent = 0
      const known = fc.nat(50).map((at) => sender.uuids[at % sender.uuids.length] ?? 'unknown')
      const check = async (request: FuzzRequest): Promise<void> => {
        const before = await cpuSeconds(waymark())
        const answer = await send(waymark(), sender, request)
        const spent = (await cpuSeconds(waymark())) - before
        dearest = Math.max(dearest, spent)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const report = { operation: request.name, headers: request.headers, fields: request.fields }
        expect(spent, JSON.stringify(report)).toBeLessThan(MAX_SECONDS)
        if (isFault(answer))
          throw new Error(`${answer.status} ${JSON.stringify(answer.body)} to ${JSON.stringify(report)}`)
        if (answer.status >= 400 && request.operation.method === 'POST')
          expect(typeof answer.body.error, JSON.stringify(report)).toBe('string')
        // Requests remove what others could change, sign out and remove the account: now and then all is new.
        const isGone = request.name === 'removeAccount' && answer.status === 200
        if (isGone || ++sent % RENEWED_AFTER === 0) sender = await newSender(waymark())
      }
      await fc.assert(fc.asyncProperty(fuzzRequests(known), check), {
        seed: SEED,
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: SECONDS * 1000,
        markInterruptAsFailure: false,
      })
      memory.stop()
      const counts = [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
      console.log(
        `seed ${SEED}: ${counts.join(', ')}; peak ${memory.peak().toFixed(0)} MB, ${dearest} s at most`,
      )
      expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SECONDS)
      expect(memory.peak()).toBeLessThan(MAX_MEGABYTES)
    },
    SECONDS * 1000 + 300_000,
  )
})
