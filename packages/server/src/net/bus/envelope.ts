/** A message on its way between nodes. */
export interface Envelope {
  /** The process that sent it, which has heard it already. */
  readonly from: string
  readonly topic: string
  readonly message: string
}

export const toText = (envelope: Envelope): string => JSON.stringify(envelope)

export const fromText = (text: string): Envelope => JSON.parse(text) as Envelope
