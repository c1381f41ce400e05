/** A link as far as blocks of operators are concerned. */
export interface Blockable {
  readonly uuid: string
  readonly workspaceUuid: string
  /** Every URL that it may lead to; only called while hosts are blocked. */
  readonly urls: () => readonly string[]
}

/** Whether an operator has blocked a link, its owner or one of its destinations; from memory. */
export type IsBlocked = (link: Blockable) => boolean
