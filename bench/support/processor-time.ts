import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process and its workers in microseconds. */
export interface ProcessorTime {
  /** Of the first thread of each process, the one that serves requests. */
  readonly serving: number
  /** How long that thread was ready to run and had no core. */
  readonly waiting: number
  readonly all: number
}

/** The kernel's own account, in nanoseconds: rates depend on what else the machine does, this hardly does. */
export function processorTime(pid: number): ProcessorTime {
  const threads = idsIn(`/proc/${pid}/task`)
  const workers = threads
    .flatMap((id) => textOf(`/proc/${pid}/task/${id}/children`).split(' '))
    .filter((id) => id !== '')
    .map((id) => processorTime(Number(id)))
  const own = threads.map((id) => ({ id, ...timesOf(pid, id) }))
  const first = own.find(({ id }) => Number(id) === pid)
  return {
    serving: sum(workers.map(({ serving }) => serving)) + (first?.spent ?? 0),
    waiting: sum(workers.map(({ waiting }) => waiting)) + (first?.waited ?? 0),
    all: sum(workers.map(({ all }) => all)) + sum(own.map(({ spent }) => spent)),
  }
}

/** What a process has written to the disk; nothing where its files are in memory. */
export const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(textOf(`/proc/${pid}/io`))?.[1] ?? 0)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function timesOf(pid: number, thread: string): { readonly spent: number; readonly waited: number } {
  const [spent, waited] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number)
  return { spent: (spent ?? 0) / 1_000, waited: (waited ?? 0) / 1_000 }
}

/** Processes and threads may end between two looks. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

function idsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
