import { type VisitDimension, visitDimensions } from '@waymark/contract'
import type { ClickKind } from '../spool/record.ts'

/** The text columns of a click: `detail` names the button or icon of a page, the others are dimensions. */
export const TEXT_COLUMNS = ['detail', ...visitDimensions] as const
export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** A click as it is stored. An empty text means unknown. */
export interface StoredClick extends Readonly<Record<'detail' | VisitDimension, string>> {
  readonly atMs: number
  readonly kind: ClickKind
  /** A link or a page. */
  readonly resourceUuid: string
  readonly bot: boolean
  /** The visitor scanned a QR code or barcode. */
  readonly scanned: boolean
  /**
   * 48 bits that identify a visitor within one workspace and day. They are meaningless once the day's salt is deleted,
   * and are never exported or streamed.
   */
  readonly visitor: number
}

export const KINDS: readonly ClickKind[] = ['link', 'page', 'button', 'icon']

/** The lowest bits of the flags byte hold the kind; single bits follow. */
export const KIND_BITS = 3
export const BOT = 4
export const SCANNED = 8

export function flagsOf({ kind, bot, scanned }: Pick<StoredClick, 'kind' | 'bot' | 'scanned'>): number {
  return KINDS.indexOf(kind) | (bot ? BOT : 0) | (scanned ? SCANNED : 0)
}

/** The source of a click, as statistics name it. */
export const sourceOf = (scanned: boolean): 'qr' | 'link' => (scanned ? 'qr' : 'link')
