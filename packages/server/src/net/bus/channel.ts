import type { ChildProcess } from 'node:child_process'

/** A topic and its message. */
export type Published = readonly [topic: string, message: string]

/** Messages between the processes of a server and the one that supervises them. */
export type Note =
  | {
      readonly kind: 'bus'
      readonly id: number
      readonly messages: readonly Published[]
      /** There were too many messages: whatever depends on any has to be dropped. */
      readonly tooMany?: boolean
    }
  | { readonly kind: 'broadcast'; readonly topic: string; readonly message: string }
  | { readonly kind: 'heard'; readonly id: number }
  | { readonly kind: 'heard by all'; readonly id: number }
  | { readonly kind: 'missed' }
  | {
      readonly kind: 'count'
      readonly id: number
      readonly key: string
      readonly cost: number
      readonly windowMs: number
    }
  | { readonly kind: 'counted'; readonly id: number; readonly count: number }
  /** An API process has migrated the database. */
  | { readonly kind: 'opened' }
  /** A line for the operator, printed once everything serves. */
  | { readonly kind: 'notice'; readonly line: string }
  /** A process serves. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'api up' }
  | { readonly kind: 'api down' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'stopped'; readonly code: number }
  | { readonly kind: 'measure all'; readonly id: number }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'measured'; readonly id: number; readonly figures: object }
  | { readonly kind: 'measured all'; readonly id: number; readonly figures: readonly object[] }

/** One end of the pipe between two processes. */
export interface Channel {
  send(note: Note): void
  /** Returns a function that stops listening. */
  listen(listener: (note: Note) => void): () => void
}

const MARK = 'waymark'

interface Envelope {
  readonly [MARK]: Note
}

function opened(message: unknown): Note | undefined {
  return typeof message === 'object' && message !== null && MARK in message
    ? (message as Envelope)[MARK]
    : undefined
}

/** To the process that started this one. */
export function parentChannel(): Channel {
  return channelOver({
    send: (envelope) => void (process.connected && process.send?.(envelope, undefined, {}, ignoreClosed)),
    on: (listener) => void process.on('message', listener),
    off: (listener) => void process.off('message', listener),
  })
}

/** To a process that this one has started. */
export function childChannel(child: ChildProcess): Channel {
  return channelOver({
    send: (envelope) => void (child.connected && child.send(envelope, ignoreClosed)),
    on: (listener) => void child.on('message', listener),
    off: (listener) => void child.off('message', listener),
  })
}

/** Both ends of a pipe within one process. */
export function channelPair(): readonly [Channel, Channel] {
  const ends = [new Set<(note: Note) => void>(), new Set<(note: Note) => void>()] as const
  const end = (own: Set<(note: Note) => void>, other: Set<(note: Note) => void>): Channel => ({
    send: (note) =>
      queueMicrotask(() => {
        for (const listener of other) listener(note)
      }),
    listen(listener) {
      own.add(listener)
      return () => void own.delete(listener)
    },
  })
  return [end(ends[0], ends[1]), end(ends[1], ends[0])]
}

/** The other end may disconnect at any moment; its messages are then dropped. */
function ignoreClosed(): void {
  return undefined
}

interface Pipe {
  send(envelope: Envelope): void
  on(listener: (message: unknown) => void): void
  off(listener: (message: unknown) => void): void
}

/** Other code may use the same pipe: only messages with our mark are ours. */
export function channelOver(pipe: Pipe): Channel {
  return {
    send: (note) => pipe.send({ [MARK]: note }),
    listen(listener) {
      const receive = (message: unknown): void => {
        const note = opened(message)
        if (note !== undefined) listener(note)
      }
      pipe.on(receive)
      return () => pipe.off(receive)
    },
  }
}
