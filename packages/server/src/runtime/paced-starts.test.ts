import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { PacedStarts } from './paced-starts.ts'

const LONG = 60_000

const starting = (limits: { turnMs: number; holdMs: number }, workMs = 0) => {
  const begun: string[] = []
  const paced = new PacedStarts((each: string) => {
    begun.push(each)
    for (const until = performance.now() + workMs; performance.now() < until;);
  }, limits)
  return { begun, paced }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`)

it('begins requests at once while the turn has time', () => {
  const { begun, paced } = starting({ turnMs: LONG, holdMs: LONG })
  for (const name of names(40)) paced.start(name)
  expect(begun).toEqual(names(40))
})

it('leaves the rest to later turns, in their order', async () => {
  const { begun, paced } = starting({ turnMs: 5, holdMs: LONG }, 3)
  for (const name of names(9)) paced.start(name)
  const begunAtOnce = begun.length
  expect(begunAtOnce).toBeLessThan(3)
  await nextTurn()
  expect(begun.length).toBeGreaterThan(begunAtOnce)
  expect(begun.length).toBeLessThan(9)
  paced.start('last')
  await expect.poll(() => begun).toEqual([...names(9), 'last'])
})

it('begins none in a turn in which a connection was accepted', async () => {
  const { begun, paced } = starting({ turnMs: LONG, holdMs: LONG })
  paced.start('before')
  for (let turn = 0; turn < 20; turn++) {
    paced.noteConnection()
    paced.start(`${turn}`)
    await nextTurn()
  }
  expect(begun).toEqual(['before'])
  await nextTurn()
  expect(begun).toEqual(['before', ...names(20)])
})

it('holds no request for long, however many connections come', async () => {
  const { begun, paced } = starting({ turnMs: LONG, holdMs: 30 })
  paced.noteConnection()
  paced.start('patient')
  while (begun.length === 0) {
    await nextTurn()
    paced.noteConnection()
  }
  expect(begun).toEqual(['patient'])
})
