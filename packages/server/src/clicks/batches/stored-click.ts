import { type VisitDimension, visitDimensions } from '@waymark/contract'
import type { ClickKind } from '../spool/record.ts'

/** The text columns of a click: `detail` names the button or icon of a page, the others are dimensions. */
export const TEXT_COLUMNS = ['detail', ...visitDimensions] as const
export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** A click as it is stored. Empty texts are unknown. */
export interface StoredClick extends Readonly<Record<'detail' | VisitDimension, string>> {
  readonly atMs: number
  readonly kind: ClickKind
  /** A link or a page. */
  readonly resourceUuid: string
  readonly bot: boolean
  /** The visitor scanned a QR code or barcode. */
  readonly scanned: boolean
  /**
   * 48 bits that are the same for one visitor of a workspace all day. They mean nothing once the day's salt is deleted.
   * They are never exported or streamed.
   */
  readonly visitor: number
}

export const KINDS: readonly ClickKind[] = ['link', 'page', 'button', 'icon']

/** Bits of the byte that holds everything that is neither a number nor a text. */
export const KIND_BITS = 3
export const BOT = 4
export const SCANNED = 8

export function flagsOf({ kind, bot, scanned }: Pick<StoredClick, 'kind' | 'bot' | 'scanned'>): number {
  return KINDS.indexOf(kind) | (bot ? BOT : 0) | (scanned ? SCANNED : 0)
}

/** Where a click came from, as statistics name it. */
export const sourceOf = (scanned: boolean): 'qr' | 'link' => (scanned ? 'qr' : 'link')
