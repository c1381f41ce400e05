/** A short code that led to a link before the link was renamed. */
export interface EarlierCode {
  /** Undefined: the domain is that of the link. */
  readonly host: string | undefined
  readonly shortCode: string
}

const WRITTEN = /^(?:([A-Za-z0-9.-]{1,253})\/)?([A-Za-z0-9_-]{1,64})$/

/** Reads `old`, or `go.example.com/old` where the domain is another one; undefined: it is neither. */
export const readEarlierCode = (written: string): EarlierCode | undefined => {
  const [, host, shortCode] = WRITTEN.exec(written) ?? []
  return shortCode === undefined ? undefined : { host, shortCode }
}

/** What `readEarlierCode` reads. */
export const writeEarlierCode = ({ host, shortCode }: EarlierCode): string =>
  host === undefined ? shortCode : `${host}/${shortCode}`
