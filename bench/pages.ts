// What a cached page costs beside a bare node:http server that sends the same bytes, and what a page weighs. Needs wrk.
//
//   npm run -s node bench/pages.ts                    about a minute
//   ROUNDS=3 SECONDS=2 npm run -s node bench/pages.ts
//
// Both servers run all the while and are asked in turn, so that whatever else the machine does meets both alike; the
// middle of all rounds counts. The server is the whole product as `npm start` starts it; every view is written to the
// spool before its response and counted into the database by its own thread during the run. Processor time per request is
// that of the serving thread, and of all threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BROWSER } from '../e2e/support/pages.ts'
import { publish } from '../e2e/support/showcase.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { load } from './support/load.ts'
import { inRounds } from './support/rounds.ts'
import { startBarePage } from './support/servers.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS'] ?? 4)
const AIM = 0.7

interface Answer {
  readonly headers: string[]
  readonly body: Buffer
}

/** A page as it goes over the wire; `date` and the headers of the connection differ. */
const ask = (address: string, encoding: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(address, { headers: { 'accept-encoding': encoding, 'user-agent': BROWSER } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const own = Object.entries(response.headers).filter(
          ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
        )
        resolve({
          headers: own.flatMap(([name, value]) => [name, String(value)]),
          body: Buffer.concat(chunks),
        })
      })
    })
      .on('error', reject)
      .end()
  })

const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-pages-'))
const script = join(folder, 'compressed.lua')
writeFileSync(script, 'wrk.headers["accept-encoding"] = "gzip, deflate, br"\n')
const waymark = await startWaymark()
try {
  const account = await waymark.account()
  for (const name of ['bare', 'full']) {
    const address = await publish(waymark, account, name)
    const page = await ask(address, 'br')
    const plain = await ask(address, 'identity')
    console.log(`${name} page: ${plain.body.length} bytes, ${page.body.length} compressed (aim: under 12288)`)
    await compare(name, page)
  }
} finally {
  await waymark.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(name: string, page: Answer): Promise<void> {
  const bodyFile = join(folder, name)
  writeFileSync(bodyFile, page.body)
  const bare = await startBarePage(page.headers, bodyFile)
  try {
    const what = { connections: 64, seconds, path: `/p/${name}`, script }
    for (const base of [waymark.url, bare.url]) await load(base, { ...what, seconds: 2 })
    const { bare: theirs, ours } = await inRounds(rounds, {
      bare: { server: bare, load: what },
      ours: { server: waymark, load: what },
    })
    if (ours.errors > 0) throw new Error(`${ours.errors} answers were wrong`)
    console.log(
      `${name} page, cached: ${Math.round(ours.perSecond)}/s beside ${Math.round(theirs.perSecond)}/s, ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)} (aim: ${AIM}); ` +
        `processor time ${theirs.serving.toFixed(1)} / ${ours.serving.toFixed(1)} µs = ${(theirs.serving / ours.serving).toFixed(2)}, all threads ${ours.all.toFixed(1)} µs`,
    )
  } finally {
    await bare.stop()
  }
}
