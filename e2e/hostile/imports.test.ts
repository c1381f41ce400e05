import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { limitMemory, watchMemory } from '../support/memory.ts'
import { type Answered, multipart, post } from '../support/requests.ts'
import { type Account, startWaymark, type Waymark } from '../support/waymark.ts'

/** Idle it takes 150 MB, so this is 200 for reading a file and some room for the garbage collector. */
const COST = { servingSeconds: 14, megabytes: 400 }

const LARGEST_BYTES = 32 * 1024 * 1024

let waymark: Waymark
let attacker: Account
let bystander: Bystander

beforeAll(async () => {
  waymark = await startWaymark()
  limitMemory(waymark)
  attacker = await waymark.account()
  bystander = await newBystander(waymark)
})
afterAll(() => waymark.stop())

const filled = (piece: string, head = '', tail = ''): string => {
  const room = LARGEST_BYTES - head.length - tail.length
  return head + piece.repeat(Math.floor(room / piece.length)) + tail
}

const send = (account: Account, file: string, isPreview: boolean): Promise<Answered> =>
  post(
    waymark,
    account,
    '/v1/import-links',
    multipart([
      { name: 'preview', value: String(isPreview) },
      { name: 'file', value: file, filename: 'links.json', type: 'application/json' },
    ]),
  )

/** Large enough to be read in a thread, as the files of the attack are. */
const ordinary = (): string =>
  `link,title\n${Array.from({ length: 2_000 }, (_, n) => `https://example.com/${n},Title of link ${n}`).join('\n')}\n`

const attacks: [name: string, file: () => string, sentence: RegExp][] = [
  ['commas', () => filled(','), /at most 200 columns/],
  ['a row of one cell', () => filled('x'), /first row must have at most 65536/],
  ['opening brackets', () => filled('['), /nested/],
  ['empty objects', () => filled('{},', '[', '{}]'), /at most 500000 links/],
  ['an item of empty lists', () => filled('[],', '[{"link":[', '[]]}]'), /larger than 1 MiB/],
  ['a list of numbers', () => filled('0,', '{"a":[', '0],"links":[{}]}'), /items are empty/],
  ['doubled quotes', () => filled('""', 'link\n"', '"'), /at most 1,048,576 characters/],
  ['a text', () => filled('x', '[{"link":"https://a.example/', '"}]'), /larger than 1 MiB/],
]

it('files made to take memory take little, and others import meanwhile', async () => {
  // What the first import loads belongs to the server.
  expect((await send(bystander.account, ordinary(), true)).status).toBe(201)
  const idle = await waymark.privateMegabytes()
  await whileAttacked(waymark, 'files to import', bystander, COST, async () => {
    for (const [name, file, sentence] of attacks) {
      const attack = file()
      const memory = watchMemory(waymark)
      const attacking = { isOver: false }
      const attacked = Promise.all([send(attacker, attack, false), send(attacker, attack, false)]).finally(
        () => (attacking.isOver = true),
      )
      const others: number[] = []
      do others.push((await send(bystander.account, ordinary(), true)).status)
      while (!attacking.isOver)
      for (const { status, body } of await attacked)
        expect([name, status, body.errors?.file?.join()]).toEqual([
          name,
          422,
          expect.stringMatching(sentence),
        ])
      memory.stop()
      const megabytes = memory.peak() - idle
      console.log(
        `${name}: ${megabytes.toFixed(0)} MB above ${idle.toFixed(0)}; ${others.length} other imports`,
      )
      expect(new Set(others)).toEqual(new Set([201]))
    }
  })
}, 600_000)
