// Whether every redirect is one click in the database, also when the server is killed in the middle.
//
//   npm run -s node bench/exact.ts                            200,000 redirects, about two minutes
//   REDIRECTS=20000 KILLS=2 npm run -s node bench/exact.ts    about twenty seconds
//
// `kill -9` ends the server several times while 64 clients ask; each start goes on with the same data folder. A click is
// on disk before its response is sent, so everything that was answered must be counted. A request that was cut off by a
// kill may have been counted or not: that many clicks at most may come on top.
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, countedClicks, fillLinks, untilCounted } from './support/links.ts'
import { BROWSER } from './support/load.ts'
import { startWaymark } from './support/servers.ts'

const redirects = Number(process.env['REDIRECTS'] ?? 200_000)
const kills = Number(process.env['KILLS'] ?? 3)
const CLIENTS = 64
const LINKS = 1_000

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-exact-'))
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
await fillLinks(dataDir, LINKS)
let server = await startWaymark(dataDir)
let restarted = Promise.resolve()
let answered = 0
let cutOff = 0
let killed = 0

try {
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await restarted
  await untilCounted(dataDir)
  const counted = countedClicks(dataDir)
  const right = counted >= answered && counted <= answered + cutOff
  console.log(
    `${answered} redirects answered, ${counted} clicks counted; the server was killed ${killed} times, ` +
      `which cut off ${cutOff} requests: ${right ? 'right' : 'WRONG'}`,
  )
  if (!right) process.exitCode = 1
} finally {
  agent.destroy()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function client(): Promise<void> {
  while (answered < redirects) {
    await restarted
    if (await redirect()) answered++
    if (killed < kills && answered > (redirects * (killed + 1)) / (kills + 1)) restarted = killAndRestart()
  }
}

async function redirect(): Promise<boolean> {
  const path = codeOf(1 + ((answered * 7) % (LINKS - 1)))
  try {
    const request = get(`${server.url}/${path}`, { agent, headers: { 'user-agent': BROWSER } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 302) throw new Error(`status ${response.statusCode}`)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    // What was refused was never sent.
    if (code !== 'ECONNREFUSED') cutOff++
    return false
  }
}

async function killAndRestart(): Promise<void> {
  killed++
  process.kill(server.pid, 'SIGKILL')
  server = await startWaymark(dataDir)
}
