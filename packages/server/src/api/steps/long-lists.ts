import { Readable } from 'node:stream'
import { admission } from '../../net/admission/lanes.ts'
import { longWork } from '../../work/turns.ts'
import type { Payload, Reply } from '../routes.ts'

/** The JSON of shorter lists takes at most a few milliseconds, and is sent in one piece with its headers. */
const LONG_LIST = 100
const PIECE_CHARACTERS = 65_536

/** Runs a read. Long lists pass the admission gate: a thousand links with many rules are 40 MB. */
export function readInTurn(
  query: { readonly limit?: unknown } | undefined,
  read: () => Promise<Reply>,
): Promise<Reply> {
  const isLong = typeof query?.limit === 'number' && query.limit > LONG_LIST
  return isLong ? admission.run('longLists', async () => inPieces(await read())) : read()
}

/** A response with a long list as chunks of the same JSON: other requests are served between them. */
export async function inPieces(reply: Reply): Promise<Reply> {
  const { payload } = reply
  if (Buffer.isBuffer(payload) || payload instanceof Readable) return reply
  if (!Array.isArray(payload.data) || payload.data.length <= LONG_LIST) return reply
  const pieces = await piecesOf(payload)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return {
    ...reply,
    payload: Readable.from(pieces),
    headers: { ...reply.headers, 'content-length': String(length) },
  }
}

/** Like `JSON.stringify`, spread over several turns of the event loop. */
export const jsonInTurns = async (payload: Payload<unknown>): Promise<string> =>
  Array.isArray(payload.data) && payload.data.length > LONG_LIST
    ? Buffer.concat(await piecesOf(payload)).toString()
    : JSON.stringify(payload)

async function piecesOf(payload: Payload<unknown>): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(payload)) {
    text += part
    if (text.length >= PIECE_CHARACTERS) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    const rest = longWork.rest()
    if (rest !== undefined) await rest
  }
  return [...pieces, Buffer.from(text)]
}

/** Like `JSON.stringify`, item by item. */
function* partsOf(payload: Payload<unknown>): Generator<string> {
  let isFirst = true
  for (const [name, value] of Object.entries(payload)) {
    if (value === undefined) continue
    yield `${isFirst ? '{' : ','}${JSON.stringify(name)}:`
    isFirst = false
    if (name === 'data' && Array.isArray(value)) yield* itemsOf(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

function* itemsOf(items: readonly unknown[]): Generator<string> {
  yield '['
  for (const [at, item] of items.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(item)}`
  yield ']'
}
