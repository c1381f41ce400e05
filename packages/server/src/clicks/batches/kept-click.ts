import { visitDimensions } from '@waymark/contract'
import type { ClickKind } from '../spool/record.ts'

/** What a single click is kept with, each a text; '' is what is not known. */
export const TEXT_FIELDS = ['resourceUuid', 'detail', ...visitDimensions] as const
export type TextField = (typeof TEXT_FIELDS)[number]

/** A single click as it is kept: nothing in it tells one visitor from another. */
export interface KeptClick extends Readonly<Record<TextField, string>> {
  readonly atMs: number
  readonly kind: ClickKind
  readonly bot: boolean
  /** The visitor's first click of the day on this link or page, and on any link of the account. */
  readonly firstOfResource: boolean
  readonly firstOfUser: boolean
  /** By scanning a code. */
  readonly scanned: boolean
}

export const KINDS: readonly ClickKind[] = ['link', 'page', 'button', 'icon']

/** Bits of the one byte that holds everything that is no text. */
export const KIND_BITS = 3
export const BOT = 4
export const FIRST_OF_RESOURCE = 8
export const FIRST_OF_USER = 16
export const SCANNED = 32
