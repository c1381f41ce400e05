const WIDTH = 30
const DRAW_MS = 100
const LINE_MS = 5_000

/** Shows progress on stderr: in place on a terminal, otherwise a line now and then. */
export class ProgressBar {
  readonly #out = process.stderr
  #step = ''
  #startedMs = 0
  #startedAt = 0
  #drawnMs = Number.NEGATIVE_INFINITY

  update(step: string, done: number, total: number): void {
    const nowMs = performance.now()
    const kind = step.split(' ', 1)[0] ?? ''
    if (kind !== this.#step) {
      this.#step = kind
      this.#startedMs = nowMs
      this.#startedAt = done
      // Another step is shown immediately.
      this.#drawnMs = Number.NEGATIVE_INFINITY
    }
    const every = this.#out.isTTY ? DRAW_MS : LINE_MS
    if (nowMs - this.#drawnMs < every && done < total) return
    this.#drawnMs = nowMs
    const line = this.#line(step, done, total, nowMs)
    this.#out.write(this.#out.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }

  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }

  #line(step: string, done: number, total: number, nowMs: number): string {
    const part = total === 0 ? 1 : Math.min(1, done / total)
    const filled = Math.round(part * WIDTH)
    const perSecond = ((done - this.#startedAt) / Math.max(1, nowMs - this.#startedMs)) * 1000
    const left = perSecond > 0 ? ` ${Math.ceil((total - done) / perSecond)} s left` : ''
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
    const percent = `${Math.floor(part * 100)}`.padStart(3)
    return `${bar} ${percent} %  ${done}/${total} ${step}, ${Math.round(perSecond)}/s${left}`
  }
}
