import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process in microseconds. */
export interface ProcessorTime {
  /** Of the first thread, the one that serves requests. */
  readonly serving: number
  readonly all: number
}

/** The kernel's own account, in nanoseconds: rates depend on what else the machine does, this hardly does. */
export function processorTime(pid: number): ProcessorTime {
  const ofThread = (id: string): number => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1_000
    } catch {
      // The thread has ended since the folder was listed.
      return 0
    }
  }
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + ofThread(id), 0)
  return { serving: ofThread(String(pid)), all }
}
