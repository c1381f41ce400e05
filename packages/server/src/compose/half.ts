/** What a process of a server does. The one that an operator starts has none: it supervises the others. */
export interface Half {
  readonly kind: 'api' | 'visitors'
  /** The number of its pair: visitors' process and API process. */
  readonly pair: number
  /** The private socket of the pair. */
  readonly socketPath: string
  /** The owner of the spool of the pair's visitors' process. */
  readonly spool: string
  /** Whether it runs in a process of its own, started by the one that supervises it. */
  readonly isChild: boolean
  /** Whether the database was migrated before it was started. */
  readonly isOpened: boolean
}

const FLAG = '--half='

export const argumentOf = (half: Half): string => FLAG + JSON.stringify(half)

export function halfIn(words: readonly string[]): Half | undefined {
  const word = words.find((each) => each.startsWith(FLAG))
  return word === undefined ? undefined : (JSON.parse(word.slice(FLAG.length)) as Half)
}

/** For a process that another one supervises: it stops when it is told to, and ends with its parent. */
export function obeyParent(): void {
  // Ctrl-C reaches all processes of a terminal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
}
