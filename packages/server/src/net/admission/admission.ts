import { Gate, type GateCounts, type GateRules } from './gate.ts'
import { currentParty, type Party } from './party.ts'

/** Rules for every kind of expensive work. */
export type AdmissionRules<Kind extends string> = Readonly<Record<Kind, GateRules>>

export interface AdmitOptions {
  /** What the work takes of the capacity; one unit if nothing is said. */
  readonly units?: number
  /** Who it is done for, if not the party that this request acts for. */
  readonly party?: Party
}

/** The one gate in front of expensive work, with lanes for each kind of it. */
export interface Admission<Kind extends string> {
  /** Does the work when it is its turn. Throws an `AppError` (503) when too much is waiting. */
  run<T>(kind: Kind, work: () => Promise<T>, options?: AdmitOptions): Promise<T>
  /** Enters if the work may begin at once, and returns how to leave; for work that has a queue of its own. */
  tryEnter(kind: Kind, options?: AdmitOptions): (() => void) | undefined
  /** What each kind is doing. */
  counts(): Record<Kind, GateCounts>
}

export function createAdmission<Kind extends string>(rules: AdmissionRules<Kind>): Admission<Kind> {
  const kinds = Object.keys(rules) as Kind[]
  const gates = new Map(kinds.map((kind) => [kind, new Gate(rules[kind])]))
  const gateOf = (kind: Kind): Gate => {
    const gate = gates.get(kind)
    if (gate === undefined) throw new Error(`There is no gate for ${kind}`)
    return gate
  }
  return {
    run: (kind, work, { units = 1, party = currentParty() } = {}) => gateOf(kind).run(party, units, work),
    tryEnter: (kind, { units = 1, party = currentParty() } = {}) => gateOf(kind).tryEnter(party, units),
    counts: () =>
      Object.fromEntries(kinds.map((kind) => [kind, gateOf(kind).counts])) as Record<Kind, GateCounts>,
  }
}
