import { isHash } from '../blobs/hash.ts'
import { createSecrets } from '../secrets.ts'
import { dataFolder } from '../data-folder.ts'

export const MANIFEST = 'manifest.json'

/** Written last: an archive that has it is whole. */
export interface Manifest {
  readonly format: 1
  readonly created_at: string
  /** What the schema was at: an older Waymark must not start on it. */
  readonly migrations: readonly string[]
  readonly database: { readonly bytes: number; readonly sha256: string }
  readonly files: { readonly count: number; readonly bytes: number }
  /** Tells whether a secret is the one that the data was sealed with, without telling it. */
  readonly secret_check: string
}

export const blobPath = (hash: string): string => `${dataFolder.blobs}/${hash.slice(0, 2)}/${hash}`

/** The hash in the name of a file in an archive; undefined when it is none. */
export function blobOf(name: string): string | undefined {
  const hash = name.slice(-64)
  return isHash(hash) && name === blobPath(hash) ? hash : undefined
}

export const secretCheck = (secret: string): string => createSecrets(secret).hash('backup', 'check')

/** Files that something other than a request under way refers to: those that must be there. */
export const KEPT_FILES = `select distinct hash from blob_refs where owner not like 'pending:%'`
