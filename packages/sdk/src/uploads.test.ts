import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { file, withBlobs } from './uploads.ts'

const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251)
let folder = ''
let path = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-sdk-'))
  path = join(folder, 'logo.png')
  await writeFile(path, bytes)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const blob = async (source: unknown): Promise<{ name: string; type: string; content: Uint8Array }> => {
  const { logo } = (await withBlobs({ logo: source })) as { logo: File }
  return { name: logo.name, type: logo.type, content: new Uint8Array(await logo.arrayBuffer()) }
}

describe('an upload', () => {
  it.each([
    ['Uint8Array', () => bytes],
    ['a part of a larger buffer', () => Buffer.concat([Buffer.from('xx'), bytes]).subarray(2)],
    ['ArrayBuffer', () => bytes.slice().buffer],
    ['web stream', () => new Blob([bytes]).stream()],
  ])('may be a %s', async (_, source) => {
    expect(await blob(source())).toEqual({ name: 'file', type: '', content: bytes })
  })

  it('may be a Blob or a File, which stays what it is', async () => {
    const given = new File([bytes], 'a.png', { type: 'image/png' })
    const { logo } = (await withBlobs({ logo: given })) as { logo: File }
    expect(logo).toBe(given)
  })

  it('may be a stream of Node, which knows the name of its file', async () => {
    expect(await blob(createReadStream(path))).toEqual({ name: 'logo.png', type: '', content: bytes })
  })

  it('may be a path, as text or as a URL', async () => {
    expect(await blob(file(path))).toEqual({ name: 'logo.png', type: '', content: bytes })
    expect(await blob(file(pathToFileURL(path)))).toMatchObject({ name: 'logo.png', content: bytes })
  })

  it('may be given a name and a type', async () => {
    const options = { name: 'b.png', type: 'image/png' }
    for (const source of [path, bytes, new Blob([bytes]), createReadStream(path)])
      expect(await blob(file(source, options))).toEqual({ ...options, content: bytes })
    const typed = new Blob([bytes], { type: 'image/png' })
    expect(await blob(file(typed, { name: 'c.png' }))).toMatchObject({ name: 'c.png', type: 'image/png' })
  })

  it('may stand anywhere in a body, which stays as it is otherwise', async () => {
    const at = new Date()
    const body = {
      images: [bytes, { src: 'https://a.example' }],
      at,
      none: null,
      no: undefined,
      buttons: [{}],
    }
    const { images, ...rest } = (await withBlobs(body)) as { images: [Blob, object] }
    expect(images[0]).toBeInstanceOf(Blob)
    expect(images[1]).toEqual({ src: 'https://a.example' })
    expect(rest).toEqual({ at, none: null, no: undefined, buttons: [{}] })
  })

  it('fails when its file or its stream does', async () => {
    await expect(blob(file(join(folder, 'none')))).rejects.toThrow('ENOENT')
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })
    await expect(blob(broken)).rejects.toThrow('broken')
  })
})
