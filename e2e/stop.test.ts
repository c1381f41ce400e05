import { describe, expect, it } from 'vitest'
import { json, sign } from './support/requests.ts'
import { converse, head, statuses } from './support/sockets.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

const PATH = '/v1/add-feedback'
const feedback = json({ feedback: 'fine, and worth waiting for' })

/** A client that has sent half of a signed request. */
const halfway = async ({ port }: Waymark, account: Account, headers: Record<string, string> = {}) => {
  const client = await converse(port)
  await client.send(
    head('POST', PATH, {
      'content-type': feedback.type,
      'content-length': String(feedback.bytes.length),
      ...sign(account, 'POST', PATH, feedback.digest),
      ...headers,
    }),
  )
  await client.send(feedback.bytes.subarray(0, 10))
  return client
}

// Each has a server of its own and waits for its clock, not for the processor.
describe.concurrent('SIGTERM', () => {
  it('lets what is under way come to its end, takes nothing new, and exits 0', async () => {
    const waymark = await startWaymark()
    const client = await halfway(waymark, await waymark.account())
    const ended = waymark.end('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${waymark.url}/livez`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused')
    await client.send(feedback.bytes.subarray(10))
    expect(statuses(await client.until(/"status":"success"/))).toEqual([201])
    expect(await client.closed()).toBe(true)
    expect(await ended).toBe(0)
    await waymark.stop()
  })

  it('waits ten seconds at most for those who do not come to their end', async () => {
    const waymark = await startWaymark()
    const client = await halfway(waymark, await waymark.account())
    const askedAt = Date.now()
    expect(await waymark.end('SIGTERM')).toBe(0)
    expect(Date.now() - askedAt).toBeLessThan(10_000)
    expect(await client.closed()).toBe(true)
    await waymark.stop()
  })
})

describe.concurrent('slow clients', () => {
  it('408 for one that falls silent in the middle of its body, who is then cut off', async () => {
    const waymark = await startWaymark()
    const account = await waymark.account()
    const silent = await halfway(waymark, account)
    const patient = await halfway(waymark, account)
    // A byte now and then is slow, and not silent.
    for (let at = 10; at < feedback.bytes.length; at++) {
      await new Promise((resolve) => setTimeout(resolve, 600))
      await patient.send(feedback.bytes.subarray(at, at + 1))
    }
    expect(statuses(await patient.until(/"status":"success"/))).toEqual([201])
    expect(statuses(await silent.until(/"error"/, 20_000))).toEqual([408])
    patient.end()
    expect(await silent.closed(40_000)).toBe(true)
    await waymark.stop()
  })
})
