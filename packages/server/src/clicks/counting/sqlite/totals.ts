import { newBatchId } from '../../batches/batch-id.ts'
import type { ResourceTotals } from '../click-totals.ts'
import { addedUp, textOfTotals } from '../waiting-totals.ts'
import { HELD_MS, spentMs } from './batch-size.ts'
import type { SqliteStatements } from './statements.ts'

/** A piece of what waits takes a few milliseconds. */
const PIECE_LINKS = 200

/** Adds them to the links and pages. */
export function addTotals(run: SqliteStatements, { links, pages }: ResourceTotals): void {
  for (const { resourceUuid, clicks } of pages) run.addToPage.run(clicks, resourceUuid)
  for (const { resourceUuid, clicks, bots, lastAtMs } of links)
    run.addToLink.run(clicks, bots, lastAtMs, resourceUuid)
}

export interface WaitingTotals {
  readonly ids: readonly string[]
  readonly totals: ResourceTotals
}

/** What waits, added up; `undefined` if nothing does. */
export function readWaiting(run: SqliteStatements): WaitingTotals | undefined {
  const rows = run.waiting.all()
  if (rows.length === 0) return undefined
  return { ids: rows.map(({ id }) => id), totals: addedUp(rows.map(({ totals }) => totals)) }
}

/** A row of `waiting_totals` that one transaction can add. */
export interface WaitingPiece {
  readonly id: string
  readonly totals: ResourceTotals
}

/**
 * Writes what waits, added up, in pieces in place of the rows that it came from, inside a transaction. No piece then has to
 * be read or written again, however many transactions it takes to add them all. None if another process has taken the rows.
 */
export function cutIntoPieces(run: SqliteStatements, { ids, totals }: WaitingTotals): WaitingPiece[] {
  if (!ids.every((id) => run.isWaiting.get(id) !== undefined)) return []
  for (const id of ids) run.removeWaiting.run(id)
  const { links, pages } = totals
  const pieces: WaitingPiece[] = []
  for (let at = 0; at < Math.max(links.length, pages.length); at += PIECE_LINKS) {
    const piece = { links: links.slice(at, at + PIECE_LINKS), pages: pages.slice(at, at + PIECE_LINKS) }
    const id = newBatchId()
    run.addWaiting.run(id, textOfTotals(piece))
    pieces.push({ id, totals: piece })
  }
  return pieces
}

/** Adds as many pieces as there is time for, inside a transaction, and returns how many. */
export function addPieces(run: SqliteStatements, pieces: readonly WaitingPiece[]): number {
  const untilMs = spentMs() + HELD_MS
  let done = 0
  for (const { id, totals } of pieces) {
    // Otherwise another process has added it.
    if (run.removeWaiting.run(id).changes > 0) addTotals(run, totals)
    done++
    if (spentMs() >= untilMs) break
  }
  return done
}
