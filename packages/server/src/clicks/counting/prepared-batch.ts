import { MAX_BATCH_BYTES } from '../batches/merging.ts'
import { packBatch } from '../batches/packed-batch.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { createIds } from '../../storage/db/ids.ts'
import { dayOf } from '../../work/times.ts'
import type { ClickBatch, ClickStore, Owner, Written } from './click-store.ts'
import { workspaceVisitors } from './visitor-numbers.ts'

/** True if a link with this owner is the short link of a code. */
export const isCode = (ownerType: string | null): boolean => ownerType === 'qrcode' || ownerType === 'barcode'

export interface ResourceTotal {
  readonly resourceUuid: string
  clicks: number
  bots: number
  lastAtMs: number | null
}

export interface ResourceTotals {
  readonly links: readonly ResourceTotal[]
  readonly pages: readonly ResourceTotal[]
}

/** What clicks add to the totals of links and pages. Clicks on a page's buttons are not views. */
export function totalsOf(clicks: readonly StoredClick[]): ResourceTotals {
  const links = new Map<string, ResourceTotal>()
  const pages = new Map<string, ResourceTotal>()
  for (const click of clicks) {
    const totals = click.kind === 'link' ? links : pages
    let total = totals.get(click.resourceUuid)
    if (total === undefined) {
      total = { resourceUuid: click.resourceUuid, clicks: 0, bots: 0, lastAtMs: null }
      totals.set(click.resourceUuid, total)
    }
    if (click.bot) {
      total.bots++
    } else if (click.kind === 'link' || click.kind === 'page') {
      total.clicks++
      // The clock may have jumped back, so the last click is not always the latest.
      if (total.lastAtMs === null || total.lastAtMs < click.atMs) total.lastAtMs = click.atMs
    }
  }
  // Every node locks the rows in this order, which prevents deadlocks.
  return { links: inOrder(links), pages: inOrder(pages) }
}

const inOrder = (totals: ReadonlyMap<string, ResourceTotal>): ResourceTotal[] =>
  [...totals.values()].sort((a, b) => (a.resourceUuid < b.resourceUuid ? -1 : 1))

/** A row of `click_batches`. */
export interface BatchRow {
  readonly id: string
  readonly workspaceUuid: string
  readonly day: number
  readonly firstAtMs: number
  readonly clicks: number
  readonly data: Buffer
}

/** Everything of a batch that can be computed before the transaction, to keep it short. */
export interface PreparedBatch {
  readonly counted: number
  readonly totals: ResourceTotals
  readonly owners: ReadonlyMap<string, Owner>
  readonly workspaceUuids: ReadonlySet<string>
  readonly rows: readonly BatchRow[]
}

export const newBatchId = createIds()

/** Groups the clicks by workspace and day and packs each group. Clicks of links that no longer exist are left out. */
export async function prepareBatch(
  { clicks }: Pick<ClickBatch, 'clicks'>,
  totals: ResourceTotals,
  owners: ReadonlyMap<string, Owner>,
  saltOf: ClickStore['salt'],
): Promise<PreparedBatch> {
  const groups = new Map<string, { workspaceUuid: string; day: number; clicks: StoredClick[] }>()
  let counted = 0
  for (const click of clicks) {
    const owner = owners.get(click.resourceUuid)
    if (owner === undefined) continue
    counted++
    const day = dayOf(click.atMs)
    const { workspaceUuid } = owner
    const name = `${workspaceUuid} ${day}`
    let group = groups.get(name)
    if (group === undefined) groups.set(name, (group = { workspaceUuid, day, clicks: [] }))
    group.clicks.push(owner.ofCode && !click.scanned ? { ...click, scanned: true } : click)
  }
  const rows: BatchRow[] = []
  for (const { workspaceUuid, day, clicks: own } of groups.values()) {
    const visitors = workspaceVisitors(own, workspaceUuid, await saltOf(day))
    rows.push(...packRows(workspaceUuid, day, own, visitors))
  }
  const exists = ({ resourceUuid }: ResourceTotal): boolean => owners.has(resourceUuid)
  return {
    counted,
    totals: { links: totals.links.filter(exists), pages: totals.pages.filter(exists) },
    owners,
    workspaceUuids: new Set([...owners.values()].map(({ workspaceUuid }) => workspaceUuid)),
    rows,
  }
}

/** Packs one row, or several if the clicks have long texts. */
function packRows(
  workspaceUuid: string,
  day: number,
  clicks: readonly StoredClick[],
  visitors: Float64Array,
): BatchRow[] {
  const data = packBatch(clicks, day, visitors)
  if (data.length <= MAX_BATCH_BYTES || clicks.length === 1) {
    const firstAtMs = clicks.reduce((first, { atMs }) => Math.min(first, atMs), Infinity)
    return [{ id: newBatchId(), workspaceUuid, day, firstAtMs, clicks: clicks.length, data }]
  }
  const middle = clicks.length >> 1
  return [
    ...packRows(workspaceUuid, day, clicks.slice(0, middle), visitors.subarray(0, middle)),
    ...packRows(workspaceUuid, day, clicks.slice(middle), visitors.subarray(middle)),
  ]
}

/** Removes workspaces that were erased after the batch was prepared. */
export function withoutWorkspaces(
  { totals, owners, workspaceUuids, rows, counted }: PreparedBatch,
  erased: ReadonlySet<string>,
): PreparedBatch {
  if (erased.size === 0) return { totals, owners, workspaceUuids, rows, counted }
  const left = new Map([...owners].filter(([, { workspaceUuid }]) => !erased.has(workspaceUuid)))
  const exists = ({ resourceUuid }: ResourceTotal): boolean => left.has(resourceUuid)
  const rowsLeft = rows.filter(({ workspaceUuid }) => !erased.has(workspaceUuid))
  return {
    counted: rowsLeft.reduce((sum, { clicks }) => sum + clicks, 0),
    totals: { links: totals.links.filter(exists), pages: totals.pages.filter(exists) },
    owners: left,
    workspaceUuids: new Set([...workspaceUuids].filter((uuid) => !erased.has(uuid))),
    rows: rowsLeft,
  }
}

export function writtenOf({ clicks }: ClickBatch, { counted, rows, owners }: PreparedBatch): Written {
  return { counted, dropped: clicks.length - counted, batches: rows, owners }
}
