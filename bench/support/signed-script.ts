import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** More than a server answers in a round. */
const PREPARED = 25_000
/** Timestamps begin this long ago and go up by a millisecond: none may repeat, and all must be near the clock. */
const BEHIND_MS = 280_000
const EMPTY = createHash('sha256').digest('hex')

export interface Signing {
  readonly apiKey: string
  readonly secret: string
  readonly path: string
  /** Where the scripts may be written. */
  readonly folder: string
}

/** Scripts for wrk, one for each round, whose requests were signed beforehand, each with a timestamp of its own. */
export function signedScripts({ apiKey, secret, path, folder }: Signing): () => string {
  let next = 0
  return () => {
    if (next === 0) next = Date.now() - BEHIND_MS
    const script = join(folder, `signed-${next}.lua`)
    const signed = Array.from({ length: PREPARED }, () => {
      const timestamp = String(next++)
      const canonical = `${timestamp}\nGET\n${path}\n${EMPTY}`
      return `${timestamp} ${createHmac('sha256', secret).update(canonical).digest('hex')}`
    })
    writeFileSync(`${script}.txt`, signed.join('\n'))
    writeFileSync(
      script,
      `local lines = io.lines("${script}.txt")
request = function()
  local timestamp, signature = lines():match("(%d+) (%x+)")
  wrk.headers["X-API-KEY"] = "${apiKey}"
  wrk.headers["X-TIMESTAMP"] = timestamp
  wrk.headers["X-SIGNATURE"] = signature
  return wrk.format("GET", "${path}")
end
`,
    )
    return script
  }
}
