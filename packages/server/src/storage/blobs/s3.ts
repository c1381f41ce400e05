import { S3mini, S3ServiceError } from 's3mini'
import { UnavailableError } from '../db/unavailable.ts'
import { type Blobs, type ByteRange, isHash } from './blobs.ts'

const TIMEOUT_MS = 8_000
/** Shorter than other timeouts, because uploads of the same file wait for its removal. */
const REMOVE_TIMEOUT_MS = 5_000
const LIST_PAGE = 1_000
const PARTIAL = 206
const NOT_FOUND = 404
const RANGE_IS_EMPTY = 416

/** One bucket of an S3-compatible server, path style. The path after the bucket is a prefix. */
export async function openS3Blobs(url: string): Promise<Blobs> {
  const { client, folders } = connectS3(url, TIMEOUT_MS)
  const { client: remover } = connectS3(url, REMOVE_TIMEOUT_MS)
  const prefix = [...folders, 'blobs', ''].join('/')
  const keyOf = (hash: string): string => `${prefix}${hash}`
  return {
    async put(hash, bytes) {
      if (!isHash(hash)) throw new Error('A blob is named by its hash')
      await asking(() => client.putObject(keyOf(hash), bytes))
    },
    async get(hash, range) {
      if (!isHash(hash)) return undefined
      if (range !== undefined) return asking(() => getRange(client, keyOf(hash), range))
      const found = await asking(() => client.getObjectArrayBuffer(keyOf(hash)))
      return found === null ? undefined : new Uint8Array(found)
    },
    async has(hash) {
      return isHash(hash) && (await asking(() => client.objectExists(keyOf(hash)))) === true
    },
    async remove(hash) {
      if (isHash(hash)) await asking(() => remover.deleteObject(keyOf(hash)))
    },
    async *list() {
      let token: string | undefined
      do {
        const page = await asking(() => client.listObjectsPaged('/', prefix, LIST_PAGE, token))
        for (const { Key } of page?.objects ?? []) {
          const name = Key.slice(prefix.length)
          if (Key.startsWith(prefix) && isHash(name)) yield name
        }
        token = page?.nextContinuationToken
      } while (token !== undefined)
    },
    close: () => Promise.resolve(),
  }
}

async function getRange(
  client: S3mini,
  key: string,
  { from, length }: ByteRange,
): Promise<Uint8Array | undefined> {
  try {
    const response = await client.getObjectRaw(key, false, from, from + length)
    const bytes = new Uint8Array(await response.arrayBuffer())
    // A server without support for ranges sends the whole file.
    return response.status === PARTIAL ? bytes : bytes.subarray(from, from + length)
  } catch (error) {
    const status = error instanceof S3ServiceError ? error.status : undefined
    if (status === NOT_FOUND) return undefined
    if (status === RANGE_IS_EMPTY) return new Uint8Array()
    throw error
  }
}

/** Creates the bucket; returns false if it exists. */
export async function makeBucket(address: string): Promise<boolean> {
  const { client } = connectS3(address, TIMEOUT_MS)
  const exists = (): Promise<boolean> => asking(() => client.bucketExists())
  if (await exists()) return false
  if (await asking(() => client.createBucket())) return true
  // Another process may have created it meanwhile. The client hides a rejection (403, 404).
  if (await exists()) return false
  throw new Error('this key can neither see nor create the bucket')
}

/** A client for the bucket of a URL, and the prefix. */
export function connectS3(
  address: string,
  requestAbortTimeout: number,
): { client: S3mini; folders: string[] } {
  const url = new URL(address)
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '')
  if (bucket === undefined) throw new Error('The S3 address has no bucket: https://key:secret@host/bucket')
  const client = new S3mini({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    endpoint: `${url.protocol}//${url.host}/${bucket}`,
    region: url.searchParams.get('region') ?? 'auto',
    requestAbortTimeout,
  })
  return { client, folders }
}

/** A server that is unreachable, too slow or returns 5xx is temporarily unavailable; other rejections are errors. */
async function asking<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof S3ServiceError && error.status < 500 && error.status !== 429) throw error
    throw new UnavailableError('The S3 server cannot be used', { cause: error })
  }
}
