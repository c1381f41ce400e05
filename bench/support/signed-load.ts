// Calls one operation as fast as it responds, from a process of its own, with or without signatures that were made
// beforehand; prints what it counted as JSON.
import { createHash, createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { argv } from 'node:process'

export interface SignedLoad {
  readonly port: number
  readonly path: string
  readonly apiKey: string
  /** Undefined: unsigned. */
  readonly secret?: string
  readonly connections: number
  readonly seconds: number
  /** The first timestamp; each request takes the next millisecond. */
  readonly fromMs: number
  /** As many as are signed beforehand: more than can be asked. */
  readonly prepared: number
}

export interface SignedLoadResult {
  readonly answers: number
  readonly errors: number
  readonly perSecond: number
}

const EMPTY = createHash('sha256').digest('hex')

const options = JSON.parse(argv[2] ?? '{}') as SignedLoad
const requests = prepare(options)
let asked = 0
let answers = 0
let errors = 0

const startedAt = performance.now()
const endsAt = startedAt + options.seconds * 1000
await Promise.all(Array.from({ length: options.connections }, converse))
const seconds = (performance.now() - startedAt) / 1000
const result: SignedLoadResult = { answers, errors, perSecond: answers / seconds }
console.log(JSON.stringify(result))

function prepare({ path, apiKey, secret, fromMs, prepared }: SignedLoad): string[] {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\n`
  if (secret === undefined) return [`${head}\r\n`]
  return Array.from({ length: prepared }, (_, n) => {
    const timestamp = String(fromMs + n)
    const canonical = `${timestamp}\nGET\n${path}\n${EMPTY}`
    const signature = createHmac('sha256', secret).update(canonical).digest('hex')
    return `${head}X-TIMESTAMP: ${timestamp}\r\nX-SIGNATURE: ${signature}\r\n\r\n`
  })
}

/** One connection: the next request as soon as the last response is complete. */
function converse(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(options.port, '127.0.0.1')
    let heard = ''
    const ask = (): void => {
      const request = requests.length === 1 ? requests[0] : requests[asked]
      if (performance.now() >= endsAt || request === undefined) {
        socket.end()
        resolve()
        return
      }
      asked++
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', ask).on('error', reject)
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      const end = heard.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0)
      if (heard.length < end + 4 + length) return
      if (heard.startsWith('HTTP/1.1 200')) answers++
      else errors++
      heard = ''
      ask()
    })
  })
}
