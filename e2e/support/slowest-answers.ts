import { readFileSync } from 'node:fs'
import type { FuzzRequest } from './fuzz-requests.ts'
import type { Answered } from './requests.ts'
import type { Waymark } from './waymark.ts'

interface SlowAnswer {
  readonly ms: number
  /** Processor time of all threads of the server in these milliseconds. */
  readonly processorMs: number
  /** What the host took from a virtual machine's processors meanwhile. */
  readonly stolenMs: number
  readonly requestId: string
  readonly text: string
}

const KEPT = 10
const TICK_MS = 10

const processorMsOf = (pid: number): number => {
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th values after it.
  const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(values[11]) + Number(values[12])) * TICK_MS
}

/** Time in which a processor of this virtual machine had work, and the host ran something else. */
export const stolenMsSoFar = (): number =>
  Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) * TICK_MS

/**
 * The slowest answers of a run, and where their time went. The milliseconds of the server's own access log
 * (LOG_REQUESTS=all) leave out what the client itself waits for, such as a pause of its garbage collection; processor
 * time tells work from waiting, also on a busy machine.
 */
export class SlowestAnswers {
  readonly #waymark: Waymark
  #slowest: SlowAnswer[] = []

  constructor(waymark: Waymark) {
    this.#waymark = waymark
  }

  async time(request: FuzzRequest, send: () => Promise<Answered>): Promise<Answered> {
    const usedBefore = processorMsOf(this.#waymark.pid)
    const stolenBefore = stolenMsSoFar()
    const startedAt = performance.now()
    const answer = await send()
    const ms = performance.now() - startedAt
    const processorMs = processorMsOf(this.#waymark.pid) - usedBefore
    if (ms > (this.#slowest.at(-1)?.ms ?? 0) || this.#slowest.length < KEPT) {
      const size = request.body?.bytes.length ?? request.query.length
      const text = `${request.name} ${answer.status}, ${size} bytes`
      const requestId = answer.headers.get('x-request-id') ?? ''
      const stolenMs = stolenMsSoFar() - stolenBefore
      this.#slowest.push({ ms, processorMs, stolenMs, requestId, text })
      this.#slowest = this.#slowest.toSorted((one, other) => other.ms - one.ms).slice(0, KEPT)
    }
    return answer
  }

  report(): string {
    const log = this.#waymark.output()
    const lines = this.#slowest.map(({ ms, processorMs, stolenMs, requestId, text }) => {
      const own = new RegExp(`"requestId":"${requestId}".*?"ms":([\\d.]+)`).exec(log)?.[1] ?? '?'
      const spent = `${String(processorMs).padStart(10)} ${String(stolenMs).padStart(7)}`
      return `${ms.toFixed(0).padStart(6)} ${own.padStart(8)} ${spent}   ${text}`
    })
    return ['    ms   server  processor  stolen   request', ...lines].join('\n')
  }
}
