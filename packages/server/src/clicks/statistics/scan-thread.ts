import { Threads } from '../../work/threads.ts'
import type { DueMonth, SummedMonth } from './stored-clicks.ts'
import type * as work from './scan.worker.ts'
import type { Figures, FiguresQuery } from './statistics.ts'

/** Scans clicks in SQLite in a separate thread: statements and scans block the thread that runs them. */
export interface ScanThread {
  figures(query: FiguresQuery): Promise<Figures>
  sumMonth(due: DueMonth): Promise<SummedMonth>
  close(): Promise<void>
}

const IDLE_MS = 30_000
const LIMIT_MS = 60_000

export function openScanThread(file: string): ScanThread {
  const thread = new Threads<typeof work>(new URL('./scan.worker.ts', import.meta.url), {
    idleMs: IDLE_MS,
    limitMs: LIMIT_MS,
  })
  return {
    figures: (query) => thread.run('figures', [file, query]),
    sumMonth: (due) => thread.run('sum', [file, due]),
    close: () => thread.close(),
  }
}
