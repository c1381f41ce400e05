import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadedFile } from '@waymark/contract'
import { schemas } from '@waymark/contract/schemas'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RawBody } from './body/read-body.ts'
import { FieldReader } from './request-fields.ts'

const [WIDTH, HEIGHT] = [300, 200]
let folder = ''
const picture = { whole: '', damaged: '' }
let size = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-fields-test-'))
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: WIDTH, height: HEIGHT, channels: 3, background: '#888', noise } as const
  const bytes = await sharp({ create }).png().toBuffer()
  size = bytes.length
  picture.whole = join(folder, 'whole.png')
  picture.damaged = join(folder, 'damaged.png')
  await writeFile(picture.whole, bytes)
  await writeFile(picture.damaged, bytes.subarray(0, bytes.length / 2))
})

afterAll(() => rm(folder, { recursive: true }))

const form = (texts: Record<string, string>, path: string): RawBody => {
  const part = { size: 0, filename: undefined, path: '', text: Buffer.alloc(0), dropped: false }
  const parts = Object.entries(texts).map(([name, text]) => ({ ...part, name, text: Buffer.from(text) }))
  const file = { ...part, name: 'image', filename: 'a.png', path, size }
  return { kind: 'multipart', parts: [...parts, file], digest: '', dispose: () => Promise.resolve() }
}

/** As an edit of a profile reads its fields. */
async function read(raw: RawBody, present?: Record<string, unknown>) {
  let pixels = 0
  const reader = new FieldReader(schemas.updatePersonalInfo)
  const { body } = await reader.read({
    raw,
    query: {},
    strict: false,
    spendPixels: async (some) => void (pixels += some),
    present: () => Promise.resolve(present),
  })
  const { image } = (body as { image: UploadedFile }).image
  return { width: image?.width, pixels }
}

describe('a form with a picture', () => {
  it('has it as it is stored, decoded once', async () => {
    const fields = form({ first_name: 'Ada' }, picture.whole)
    expect(await read(fields)).toEqual({ width: WIDTH, pixels: WIDTH * HEIGHT })
  })

  it('reports a damaged picture together with the other fields that are wrong', async () => {
    const rejected = read(form({ phone: '1' }, picture.damaged))
    await expect(rejected).rejects.toMatchObject({
      body: {
        errors: {
          phone: ['Must be between 10 and 20 characters'],
          image: ['Must be a whole image: this one is damaged'],
        },
      },
    })
    const alone = read(form({ phone: '1' }, picture.whole))
    await expect(alone).rejects.toMatchObject({ body: { errors: { phone: [expect.any(String)] } } })
    await expect(alone).rejects.not.toMatchObject({ body: { errors: { image: [expect.any(String)] } } })
  })

  it('that sends a value back which no new one could have has the picture as it is stored', async () => {
    const fields = form({ phone: '1', email: 'ada@example.com' }, picture.whole)
    expect(await read(fields, { phone: '1', email: 'ada@example.com' })).toMatchObject({ width: WIDTH })
  })
})
