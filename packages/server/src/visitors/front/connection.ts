import type { Socket } from 'node:net'

/**
 * What the front does with a connection:
 * - `reading`: it reads requests.
 * - `waiting`: a look-up is under way; what the client sends meanwhile stays in the socket's buffer.
 * - `held`: earlier responses have to be sent first.
 * - `closing`: the last response has been decided on; nothing more is read.
 * - `leaving`: node:http gets the connection as soon as the responses so far are written.
 */
export type ConnectionState = 'reading' | 'waiting' | 'held' | 'closing' | 'leaving'

/** What the front does when something happens on a connection. */
export interface ConnectionEvents {
  read(connection: Connection, chunk: Buffer): void
  ended(connection: Connection): void
  drained(connection: Connection): void
  closed(connection: Connection): void
}

/** A connection that node:http does not have (yet). */
export class Connection {
  readonly socket: Socket
  state: ConnectionState = 'reading'
  /** Responses of this turn of the event loop. */
  unsent = ''
  /** How many they are. */
  outstanding = 0
  /** The client has sent its last byte. */
  hasEnded = false
  hasAsked = false
  /** Number of the sweep before which the connection was last active. */
  activeAtSweep = 0
  readonly #events: ConnectionEvents

  constructor(socket: Socket, events: ConnectionEvents) {
    this.socket = socket
    this.#events = events
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain)
    socket.on('close', this.#onClose).on('error', ignore)
  }

  /** Leaves the socket to other listeners. */
  detach(): void {
    const { socket } = this
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain)
    socket.off('close', this.#onClose).off('error', ignore)
  }

  /** Stops reading; bytes that were not used go back into the socket, in front of all that follow. */
  hold(state: ConnectionState, unused?: Buffer): void {
    this.state = state
    this.socket.pause()
    // At once, and not with the next `readOn`: a socket with bytes in it does not report its end yet.
    if (unused !== undefined && unused.length > 0) this.socket.unshift(unused)
  }

  readOn(): void {
    this.state = 'reading'
    this.socket.resume()
  }

  readonly #onData = (chunk: Buffer): void => this.#events.read(this, chunk)
  readonly #onEnd = (): void => this.#events.ended(this)
  readonly #onDrain = (): void => this.#events.drained(this)
  readonly #onClose = (): void => this.#events.closed(this)
}

/** A reset connection is closed, which is all there is to do about it. */
function ignore(): void {}
