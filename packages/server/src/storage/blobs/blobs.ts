/** A part of a file. */
export interface ByteRange {
  readonly from: number
  readonly length: number
}

/** Files that are named by the SHA-256 of their content, so that a name never changes its meaning. */
export interface Blobs {
  /** Whole or not at all, and on disk when the promise resolves. */
  put(hash: string, bytes: Uint8Array): Promise<void>
  /** The whole file or a part of it, which is shorter than the range where the file ends before. */
  get(hash: string, range?: ByteRange): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
  /** Fine when it is gone already. */
  remove(hash: string): Promise<void>
  list(): AsyncIterable<string>
  close(): Promise<void>
}
