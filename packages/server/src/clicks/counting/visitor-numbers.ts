import { createCipheriv, hash } from 'node:crypto'
import { ipv4Number, plainAddress } from '../attributes/addresses.ts'
import { remembered } from '../attributes/headers.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Click } from '../spool/record.ts'
import { dayOf } from '../../work/times.ts'

const BLOCK_BYTES = 16
const BLOCK_WORDS = 4
const NUMBER_BYTES = 6
const MAX_REMEMBERED = 5_000
const KEYS_KEPT = 4
/** The 16-bit groups before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_V4 = 0xff_ff

interface DayKey {
  readonly key: Buffer
  readonly agentWords: (userAgent: string) => Int32Array
}

const dayKeys = new Map<string, DayKey>()

/**
 * The visitors of one workspace: a keyed hash of the workspace and the visitor's global number. Two workspaces cannot find
 * out that they have a visitor in common.
 */
export function workspaceVisitors(
  clicks: readonly Pick<StoredClick, 'visitor'>[],
  workspaceUuid: string,
  salt: string,
): Float64Array {
  const blocks = Buffer.alloc(clicks.length * BLOCK_BYTES)
  for (let at = 0; at < clicks.length; at++)
    blocks.writeUIntBE(clicks[at]!.visitor, at * BLOCK_BYTES, NUMBER_BYTES)
  const key = hash('sha256', `workspace\n${salt}\n${workspaceUuid}`, 'buffer')
  const encrypted = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(blocks)
  return Float64Array.from(clicks, (_, at) => encrypted.readUIntBE(at * BLOCK_BYTES, NUMBER_BYTES))
}

/**
 * Numbers that identify a visitor for one day and are meaningless afterwards: without the day's salt, which is deleted,
 * addresses cannot be guessed by brute force. 48 bits keep ten million visitors apart.
 *
 * Each visitor is one AES block: the address, mixed with a salted hash of the user agent. The key is derived from the salt.
 * All blocks of a batch are encrypted in one call; a hash per click would cost ten times as much.
 */
export function visitorNumbers(clicks: readonly Click[], saltOf: (dayMs: number) => string): Float64Array {
  const numbers = new Float64Array(clicks.length)
  for (let from = 0; from < clicks.length;) {
    const day = dayOf(clicks[from]!.atMs)
    let to = from + 1
    while (to < clicks.length && dayOf(clicks[to]!.atMs) === day) to++
    numberPart(clicks, from, to, dayKeyOf(saltOf(day)), numbers)
    from = to
  }
  return numbers
}

function numberPart(
  clicks: readonly Click[],
  from: number,
  to: number,
  { key, agentWords }: DayKey,
  numbers: Float64Array,
): void {
  const words = new Int32Array((to - from) * BLOCK_WORDS)
  for (let at = from; at < to; at++) {
    const { address, userAgent } = clicks[at]!
    fillBlock(words, (at - from) * BLOCK_WORDS, plainAddress(address), agentWords(userAgent))
  }
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const encrypted = cipher.update(new Uint8Array(words.buffer))
  for (let at = from; at < to; at++)
    numbers[at] = encrypted.readUIntBE((at - from) * BLOCK_BYTES, NUMBER_BYTES)
}

function fillBlock(words: Int32Array, at: number, address: string, agent: Int32Array): void {
  const v4 = ipv4Number(address)
  const own = v4 === undefined ? firstWords(hash('sha256', address, 'buffer')) : undefined
  words[at] = agent[0]! ^ (own?.[0] ?? 0)
  words[at + 1] = agent[1]! ^ (own?.[1] ?? 0)
  words[at + 2] = agent[2]! ^ (own?.[2] ?? MAPPED_V4)
  words[at + 3] = agent[3]! ^ (own?.[3] ?? v4!)
}

function dayKeyOf(salt: string): DayKey {
  const known = dayKeys.get(salt)
  if (known !== undefined) return known
  const made: DayKey = {
    key: hash('sha256', `visitors\n${salt}`, 'buffer'),
    agentWords: remembered(MAX_REMEMBERED, (userAgent) =>
      firstWords(hash('sha256', `agent\n${salt}\n${userAgent}`, 'buffer')),
    ),
  }
  if (dayKeys.size >= KEYS_KEPT) dayKeys.clear()
  dayKeys.set(salt, made)
  return made
}

function firstWords(digest: Buffer): Int32Array {
  return Int32Array.from({ length: BLOCK_WORDS }, (_, word) => digest.readInt32LE(word * 4))
}
