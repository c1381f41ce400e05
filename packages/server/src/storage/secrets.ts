import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from './data-folder.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Uses of the instance's secret. Each purpose has its own key, derived from it. */
export interface Secrets {
  /** Authenticated encryption; opening requires the same `context`. */
  seal(text: string, context: string): string
  /** The text sealed with the current secret; undefined if it is already. */
  reseal(sealed: string, context: string): string | undefined
  open(sealed: string, context: string): string
  /** Keyed hash in hex. */
  hash(purpose: string, text: string): string
  /** The first 48 bits of the keyed hash, as a whole number. */
  number(purpose: string, text: string): number
  /** Whether `hash` is the keyed hash of the text, in constant time. */
  verify(purpose: string, text: string, hash: string): boolean
}

/** The keys of one secret, by purpose. */
function createKeys(secretKey: string): (purpose: string) => Buffer {
  const keys = new Map<string, Buffer>()
  return (purpose) => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const made = Buffer.from(hkdfSync('sha256', secretKey, 'waymark', purpose, 32))
    keys.set(purpose, made)
    return made
  }
}

/** The key of one purpose, to be stored before the secret changes. */
export const derivedKey = (secretKey: string, purpose: string): Buffer => createKeys(secretKey)(purpose)

const hashWith = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

function openWith(key: Buffer, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
  return text + decipher.final('utf8')
}

/** `previous`: the former secret, which still opens and verifies what it has sealed and signed. */
export function createSecrets(secretKey: string, previous?: string): Secrets {
  const keyFor = createKeys(secretKey)
  const previousKeyFor = previous === undefined ? undefined : createKeys(previous)
  const hash = (purpose: string, text: string): string => hashWith(keyFor(purpose), text)
  const seal = (text: string, context: string): string => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, keyFor('seal'), nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return sealed.toString('base64url')
  }
  /** The text, and whether the current secret opened it. */
  const openBy = (sealed: string, context: string): { text: string; isPresent: boolean } => {
    try {
      return { text: openWith(keyFor('seal'), sealed, context), isPresent: true }
    } catch (error) {
      if (previousKeyFor === undefined) throw error
      return { text: openWith(previousKeyFor('seal'), sealed, context), isPresent: false }
    }
  }
  const isHash = (expected: string, given: string): boolean => {
    const [a, b] = [Buffer.from(expected), Buffer.from(given)]
    return a.length === b.length && timingSafeEqual(a, b)
  }

  return {
    seal,
    reseal(sealed, context) {
      const { text, isPresent } = openBy(sealed, context)
      return isPresent ? undefined : seal(text, context)
    },
    open: (sealed, context) => openBy(sealed, context).text,
    hash,
    number: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest().readUIntBE(0, 6),
    verify: (purpose, text, given) =>
      isHash(hash(purpose, text), given) ||
      (previousKeyFor !== undefined && isHash(hashWith(previousKeyFor(purpose), text), given)),
  }
}

/** The secret in the data folder, created on the first start. Two processes that start at once agree on one. */
export async function storedSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, dataFolder.secret)
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const existing = await readFile(path, 'utf8').catch(ifMissing)
  if (existing !== undefined) return existing.trim()
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  // link() never replaces a file: the second process reads the secret of the first.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(path, 'utf8')).trim()
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

const BLOCK_BYTES = 64
/** Longer texts use node:crypto. A character takes at most three bytes. */
const MAX_CHARACTERS = 512

/**
 * HMAC-SHA-256 as hex, for short texts that are hashed with every write. `createHmac` allocates a native object for each
 * call; calling its two hashes (RFC 2104) directly takes half the time.
 */
export function keyedHash(key: Buffer): (text: string) => string {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key)
  const inner = Buffer.alloc(BLOCK_BYTES + 3 * MAX_CHARACTERS)
  const outer = Buffer.alloc(BLOCK_BYTES + 32)
  for (const [at, byte] of block.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return (text) => {
    if (text.length > MAX_CHARACTERS) return createHmac('sha256', key).update(text).digest('hex')
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', inner.subarray(0, end), 'hex'), BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
}
