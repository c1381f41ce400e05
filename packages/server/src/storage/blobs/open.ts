import type { Blobs } from './blobs.ts'
import { openFileBlobs } from './files.ts'

/** `https://key:secret@host/bucket/prefix?region=…`; undefined: files in the data folder. */
export async function openBlobs(options: { url: string | undefined; dataDir: string }): Promise<Blobs> {
  if (options.url === undefined) return openFileBlobs(options.dataDir)
  // Loaded only when needed, to save memory.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(options.url)
}
