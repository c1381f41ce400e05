import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { picture, upload } from '../support/pages.ts'
import { multipart, post } from '../support/requests.ts'
import { askServices } from '../support/stacks.ts'
import { type Account, startWaymark, type Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 1, megabytes: 400 }

const CODES = 10

let waymark: Waymark
let s3: Record<string, string>
let owner: Account
let bystander: Bystander
let uuids: string[]

// Files in S3 beside SQLite, whose one writer everybody shares.
beforeAll(async () => {
  s3 = await askServices('own/s3')
  waymark = await startWaymark({ S3_URL: s3['url'] ?? '' })
  owner = await waymark.account()
  bystander = await newBystander(waymark)
  uuids = []
  for (let n = 0; n < CODES; n++) {
    const colour = `#${(0x100000 + n * 0x010101).toString(16)}`
    const form = multipart([
      { name: 'url', value: 'https://example.com/' },
      { name: 'pattern', value: 'squares' },
      upload('logo', await picture(colour)),
    ])
    const { status, body } = await post(waymark, owner, '/v1/generate-qr', form)
    expect(status).toBe(201)
    uuids.push(body.data.uuid as string)
  }
})
afterAll(async () => {
  await askServices(`own/${s3['id']}/thaw`)
  await askServices(`own/${s3['id']}/stop`)
  await waymark.stop()
})

it('an S3 that hangs delays no write that needs no file', async () => {
  await askServices(`own/${s3['id']}/freeze`)
  let writes = 0
  const removing = { isOver: false }
  const removed = await whileAttacked(waymark, 'hanging S3', bystander, COST, async () => {
    const removals = Promise.all(
      uuids.map((uuid) => post(waymark, owner, '/v1/remove-qr', { uuid, permanent: true })),
    ).finally(() => (removing.isOver = true))
    do {
      const { status } = await post(waymark, bystander.account, '/v1/generate-link', {
        link: 'https://example.com/',
      })
      expect(status).toBe(201)
      writes++
      await new Promise((resolve) => setTimeout(resolve, 50))
    } while (!removing.isOver || writes < 20)
    return removals
  })
  expect(new Set(removed.map(({ status }) => status))).toEqual(new Set([200]))
  console.log(`hanging S3: ${writes} writes`)
})
