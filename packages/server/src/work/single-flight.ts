import { actingFor, currentRequester } from '../net/admission/gate.ts'

/** Does a piece of work once for all callers that request it while it is in progress. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const underWay = this.#flights.get(key)
    if (underWay !== undefined) return underWay
    // It counts as work of the first caller, but continues for the others when that caller leaves.
    const requester = { ...currentRequester(), isGone: undefined }
    const flight = actingFor(requester, work).finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }
}
