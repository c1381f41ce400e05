import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { newBystander } from '../support/isolation.ts'
import { limitMemory } from '../support/memory.ts'
import { get, post } from '../support/requests.ts'
import { head } from '../support/sockets.ts'
import { forEachStack } from '../support/stacks.ts'

const VISITS = 60_000
const CONNECTIONS = 20
/** Requests on their way over one connection. */
const AT_ONCE = 30
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'

/** Sends some requests at a time over one connection, and counts how many were redirected. */
async function visit(port: number, next: () => string[]): Promise<number> {
  const socket = connect(port, 'localhost').setEncoding('latin1')
  let redirects = 0
  for (let requests = next(); requests.length > 0; requests = next()) {
    socket.write(requests.join(''))
    let heard = ''
    for (let responses = 0; responses < requests.length;) {
      const [chunk] = (await once(socket, 'data')) as [string]
      heard += chunk
      responses = heard.split('\r\n\r\n').length - 1
    }
    redirects += heard.split('HTTP/1.1 302 ').length - 1
  }
  socket.destroy()
  return redirects
}

forEachStack((waymark) => {
  it('visits that each bring new UTM values are counted, and so are those of others', async () => {
    limitMemory(waymark())
    const { port, url } = waymark()
    const account = await waymark().account()
    const bystander = await newBystander(waymark())
    const { body } = await post(waymark(), account, '/v1/generate-link', {
      link: 'https://example.com/there',
      forward_query: true,
    })
    const { uuid, code } = body.data as { uuid: string; code: string }
    let visits = 0
    const next = (): string[] =>
      Array.from({ length: Math.min(AT_ONCE, VISITS - visits) }, () => {
        // NUL is three bytes here and six where texts are stored.
        const value = `${visits++}${'%00'.repeat(55)}`
        const query = `utm_source=${value}&utm_medium=${value}&utm_campaign=${value}`
        return head('GET', `/${code}?${query}`, { 'user-agent': BROWSER })
      })
    const redirects = await Promise.all(Array.from({ length: CONNECTIONS }, () => visit(port, next)))
    expect(redirects.reduce((sum, some) => sum + some, 0)).toBe(VISITS)
    await fetch(`${url}/${bystander.code}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
    const clicks = async (caller: typeof account, query: string): Promise<number> => {
      const { body: answer } = await get(waymark(), caller, `/v1/analytics${query}`)
      return answer.data.totals.clicks as number
    }
    await expect.poll(() => clicks(bystander.account, ''), { timeout: 120_000, interval: 500 }).toBe(1)
    await expect
      .poll(() => clicks(account, `?uuid=${uuid}`), { timeout: 120_000, interval: 500 })
      .toBe(VISITS)
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { clicks: 'ok' } }])
    expect(waymark().output()).not.toContain('clicks wait in the spool')
  })
})
