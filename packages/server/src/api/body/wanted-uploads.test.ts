import { UploadedFile } from '@waymark/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { wantedUploads } from './wanted-uploads.ts'

const file = (filename: string) => new UploadedFile({ path: '', size: 0, filename })
const binary = z.custom<UploadedFile>().meta({ type: 'string', format: 'binary' })
const schema = z.toJSONSchema(
  z.object({
    title: z.string(),
    logo: binary.nullish(),
    table: binary.meta({ 'x-media-type': 'text/csv' }).nullish(),
    images: z.array(z.union([binary, z.object({ src: z.string() })])).nullish(),
  }),
  { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' },
)

describe('wantedUploads', () => {
  it('finds the files of fields that take a picture, and no others', () => {
    const [logo, first, second, stray] = [file('logo'), file('first'), file('second'), file('stray')]
    const body = {
      title: stray,
      table: stray,
      logo,
      images: [first, { src: stray }, second, null, 'text'],
      unknown: stray,
      nested: { logo: stray },
    }
    expect(wantedUploads(schema, body)).toEqual([logo, first, second])
    expect(wantedUploads(schema, { logo: [stray], images: stray })).toEqual([])
  })
})
