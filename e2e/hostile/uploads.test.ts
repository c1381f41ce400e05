import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { picture, upload } from '../support/pages.ts'
import { type Answered, type Encoded, multipart, post } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import type { Account } from '../support/waymark.ts'

/** One such picture takes 500 MB while it is decoded, and one is decoded at a time. */
const COST = { servingSeconds: 5, megabytes: 1_400 }

const FILES = 60
/** Twelve a minute; the attack may run into the next one. */
const WITHIN_BUDGET = 24

/** A file of a kilobyte that is a picture of 40 megapixels. */
const hugeAvif = (): Promise<Buffer> =>
  sharp({ create: { width: 8000, height: 5000, channels: 3, background: '#204060' } })
    .avif({ effort: 0, quality: 1 })
    .toBuffer()

onStack('embedded', (waymark) => {
  let bystander: Bystander
  let attacker: Account
  let avif: Buffer
  beforeAll(async () => {
    bystander = await newBystander(waymark())
    attacker = await waymark().account()
    avif = await hugeAvif()
  })

  it('sixty tiny files of 40 megapixels each delay no other account', async () => {
    const small: Encoded = multipart([upload('image', await picture())])
    const huge = multipart([upload('image', avif)])
    let uploads = 0
    const attacking = { isOver: false }
    const answers = await whileAttacked(waymark(), 'huge pictures', bystander, COST, async () => {
      const attack = Promise.all(
        Array.from({ length: FILES }, () => post(waymark(), attacker, '/v1/update-personal-info', huge)),
      ).finally(() => (attacking.isOver = true))
      // Another account uploads its picture meanwhile.
      while (!attacking.isOver) {
        const { status } = await post(waymark(), bystander.account, '/v1/update-personal-info', small)
        expect(status).toBe(200)
        uploads++
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      return attack
    })
    const count = (wanted: number): number => answers.filter(({ status }) => status === wanted).length
    console.log(
      `huge pictures: ${avif.length} bytes each; ${uploads} other uploads; ${count(200)} decoded, ` +
        `${count(429)} over the budget, ${count(503)} sent away`,
    )
    expect(uploads).toBeGreaterThan(1)
    expect(answers.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([])
    const refused = answers.filter(({ status }: Answered) => status !== 200)
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(count(429)).toBeGreaterThanOrEqual(FILES - WITHIN_BUDGET)
  })
})
