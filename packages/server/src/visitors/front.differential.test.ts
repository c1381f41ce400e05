import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byteStream } from './front/byte-streams.testing.ts'
import { openTwoPaths, type TwoPaths } from './front/two-paths.testing.ts'

/*
 * The front and node:http must look like one server to clients. Every stream of bytes is sent to a server through the front
 * and through node:http alone: both must respond alike and count the same clicks.
 *
 * FRONT_STREAMS is the number of streams and FRONT_SEED the seed of the first one. A failure prints its seed.
 */

const STREAMS = Number(process.env['FRONT_STREAMS'] ?? 3_000)
const FIRST_SEED = Number(process.env['FRONT_SEED'] ?? 1)

const settings: Record<string, Record<string, string>> = {
  'without a proxy': {},
  'behind a proxy': { TRUST_PROXY: 'loopback' },
}

describe.each(Object.entries(settings))('%s', (_name, env) => {
  let paths: TwoPaths
  beforeAll(async () => {
    paths = await openTwoPaths(env)
  })
  afterAll(() => paths.close())

  it(
    'the front and node:http respond alike',
    async () => {
      const share = Math.ceil(STREAMS / Object.keys(settings).length)
      for (let seed = FIRST_SEED; seed < FIRST_SEED + share; seed++) {
        const chunks = byteStream(seed, paths.targets)
        // The first one finds the cache in the state that the previous stream left.
        const first = seed % 2 === 0 ? await paths.throughFront(chunks) : await paths.throughHttp(chunks)
        const second = seed % 2 === 0 ? await paths.throughHttp(chunks) : await paths.throughFront(chunks)
        const [front, http] = seed % 2 === 0 ? [first, second] : [second, first]
        const sent = chunks.map((chunk) => chunk.toString('latin1'))
        expect({ seed, sent, ...front }, `FRONT_SEED=${seed} FRONT_STREAMS=2`).toEqual({
          seed,
          sent,
          ...http,
        })
      }
    },
    60_000 + STREAMS * 20,
  )
})
