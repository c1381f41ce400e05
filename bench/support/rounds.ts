import { type Load, type LoadResult, load, median } from './load.ts'
import { processorTime, writtenBytes } from './processor-time.ts'
import type { Running } from './servers.ts'

/** Medians of what a server did under one load. */
export interface Measured {
  /** Microseconds of processor time per request, of the serving thread and of all threads. */
  readonly serving: number
  readonly all: number
  /** Microseconds per request that the serving thread was ready to run and had no core. */
  readonly waiting: number
  /** Bytes per request that went to the disk, checkpoints of the database included. */
  readonly written: number
  readonly perSecond: number
  readonly p99Ms: number
  readonly errors: number
  /** Requests of all rounds together. */
  readonly answers: number
}

export interface Contestant {
  readonly server: Pick<Running, 'url' | 'pid'>
  readonly load: Load
  /** What belongs to the work of a round and goes on after its last response, such as counting clicks. */
  readonly settle?: () => Promise<void>
}

interface Round extends LoadResult {
  readonly serving: number
  readonly waiting: number
  readonly all: number
  readonly written: number
}

/**
 * Runs all contestants in turn, round by round, so that whatever else the machine does meets all alike. Every second
 * round runs backwards, so that none always follows the same one, whose writes the disk may still be busy with.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  contestants: Record<Name, Contestant>,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(contestants) as Name[]
  const seen = new Map<Name, Round[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      seen.get(name)?.push(await oneRound(contestants[name]))
  return Object.fromEntries(names.map((name) => [name, middle(seen.get(name) ?? [])])) as Record<
    Name,
    Measured
  >
}

async function oneRound({ server, load: given, settle }: Contestant): Promise<Round> {
  const before = { ...processorTime(server.pid), written: writtenBytes(server.pid) }
  const result = await load(server.url, given)
  await settle?.()
  const after = { ...processorTime(server.pid), written: writtenBytes(server.pid) }
  return {
    ...result,
    serving: (after.serving - before.serving) / result.answers,
    waiting: (after.waiting - before.waiting) / result.answers,
    all: (after.all - before.all) / result.answers,
    written: (after.written - before.written) / result.answers,
  }
}

function middle(rounds: readonly Round[]): Measured {
  const of = (name: 'serving' | 'waiting' | 'all' | 'written' | 'perSecond' | 'p99Ms'): number =>
    median(rounds.map((round) => round[name]))
  const sum = (name: 'errors' | 'answers'): number => rounds.reduce((total, round) => total + round[name], 0)
  return {
    serving: of('serving'),
    waiting: of('waiting'),
    all: of('all'),
    written: of('written'),
    perSecond: of('perSecond'),
    p99Ms: of('p99Ms'),
    errors: sum('errors'),
    answers: sum('answers'),
  }
}
