// What signatures cost: one operation asked with its key alone, and with key, signature and single-use timestamp. Needs wrk.
//
//   npm run -s node bench/signed.ts                   about a minute
//   ROUNDS=3 SECONDS=1 npm run -s node bench/signed.ts
//
// Requests are signed beforehand, each with a millisecond of its own, so that the store of used signatures records each. The
// kinds take turns, and the middle of all rounds counts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { load } from './support/load.ts'
import { inRounds, type Measured } from './support/rounds.ts'
import { signedScripts } from './support/signed-script.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)
const seconds = Number(process.env['SECONDS'] ?? 2)
const PATH = '/v1/tags'
const AIM = 0.8

const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-signed-'))
const server = await startWaymark()
try {
  const { apiKey, secret } = await server.account()
  const nextScript = signedScripts({ apiKey, secret, path: PATH, folder })
  const unsigned = { connections: 32, seconds, path: PATH, headers: [`X-API-KEY: ${apiKey}`] }
  const signed = () => ({ connections: 32, seconds, path: '/', script: nextScript() })
  await load(server.url, unsigned)
  await load(server.url, signed())
  const measured = await inRounds(rounds, {
    unsigned: { server, load: unsigned },
    signed: {
      server,
      get load() {
        return signed()
      },
    },
  })
  report(measured.unsigned, measured.signed)
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}

function report(unsigned: Measured, signed: Measured): void {
  for (const [kind, { perSecond, serving, all, errors }] of Object.entries({ unsigned, signed })) {
    if (errors > 0) throw new Error(`${errors} ${kind} requests were rejected`)
    console.log(
      `${kind}: ${Math.round(perSecond)}/s, processor time ${serving.toFixed(1)} µs serving, ${all.toFixed(1)} µs all threads`,
    )
  }
  console.log(
    `signed / unsigned: ${(signed.perSecond / unsigned.perSecond).toFixed(2)} of the rate (aim: ${AIM})`,
  )
}
