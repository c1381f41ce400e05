import { openFileBlobs } from './files.ts'

/** Files that are named by the SHA-256 of their content, so that a name never changes its meaning. */
export interface Blobs {
  /** Whole or not at all, and on disk when it answers. */
  put(hash: string, bytes: Uint8Array): Promise<void>
  get(hash: string): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
  /** Fine when it is gone already. */
  remove(hash: string): Promise<void>
  list(): AsyncIterable<string>
  close(): Promise<void>
}

/** `https://key:secret@host/bucket/prefix?region=…`; undefined: files in the data folder. */
export async function openBlobs(options: { url: string | undefined; dataDir: string }): Promise<Blobs> {
  if (options.url === undefined) return openFileBlobs(options.dataDir)
  // Loaded by those alone who use it, for the sake of memory.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(options.url)
}
