/** A short code of a link before it was renamed. */
export interface EarlierCode {
  /** Undefined: the domain is that of the link. */
  readonly host: string | undefined
  readonly shortCode: string
}

const WRITTEN = /^(?:([A-Za-z0-9.-]{1,253})\/)?([A-Za-z0-9_-]{1,64})$/

/** Parses `old`, or `go.example.com/old` with another domain; undefined for anything else. */
export const readEarlierCode = (written: string): EarlierCode | undefined => {
  const [, host, shortCode] = WRITTEN.exec(written) ?? []
  return shortCode === undefined ? undefined : { host, shortCode }
}

/** The text that `readEarlierCode` parses. */
export const writeEarlierCode = ({ host, shortCode }: EarlierCode): string =>
  host === undefined ? shortCode : `${host}/${shortCode}`
