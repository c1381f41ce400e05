import type { Worker } from 'node:cluster'

/** A topic and its message. */
export type Published = readonly [topic: string, message: string]

/** Messages between workers and their primary. */
type Note =
  | { readonly kind: 'bus'; readonly id: number; readonly messages: readonly Published[] }
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
  | { readonly kind: 'ready' }
  | { readonly kind: 'measure all'; readonly id: number }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'measured'; readonly id: number; readonly figures: object }
  | { readonly kind: 'measured all'; readonly id: number; readonly figures: readonly object[] }

/** One end of the pipe between a worker and its primary. */
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

/** A worker's channel to its primary. */
export function primaryChannel(): Channel {
  return channelOver({
    send: (envelope) => void (process.connected && process.send?.(envelope, undefined, {}, ignoreClosed)),
    on: (listener) => void process.on('message', listener),
    off: (listener) => void process.off('message', listener),
  })
}

/** The primary's channel to one worker. */
export function workerChannel(worker: Worker): Channel {
  return channelOver({
    send: (envelope) => void (worker.isConnected() && worker.send(envelope, ignoreClosed)),
    on: (listener) => void worker.on('message', listener),
    off: (listener) => void worker.off('message', listener),
  })
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
