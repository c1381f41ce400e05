import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TarWriter, readTar } from './tar.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-tar-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const big = Buffer.from(Array.from({ length: 700_001 }, (_, n) => n % 251))

async function write(path: string): Promise<void> {
  await writeFile(join(folder, 'big'), big)
  const file = await open(path, 'wx', 0o600)
  const tar = new TarWriter(file, Date.UTC(2027, 0, 1))
  await tar.addBytes('empty', Buffer.alloc(0))
  await tar.addFile('blobs/big', join(folder, 'big'))
  await tar.addBytes('block', Buffer.alloc(512, 7))
  await tar.end()
  await file.close()
}

async function contents(path: string): Promise<Record<string, Buffer>> {
  const file = await open(path)
  const found: Record<string, Buffer> = {}
  try {
    for await (const entry of readTar(file)) {
      const parts: Buffer[] = []
      for await (const part of entry.read()) parts.push(Buffer.from(part))
      found[entry.name] = Buffer.concat(parts)
    }
  } finally {
    await file.close()
  }
  return found
}

it('reads what it wrote', async () => {
  await write(join(folder, 'one.tar'))
  expect(await contents(join(folder, 'one.tar'))).toEqual({
    empty: Buffer.alloc(0),
    'blobs/big': big,
    block: Buffer.alloc(512, 7),
  })
})

it('can be read by the tar program of the system', async () => {
  await write(join(folder, 'two.tar'))
  const { stdout } = await promisify(execFile)('tar', ['-tf', join(folder, 'two.tar')])
  expect(stdout).toBe('empty\nblobs/big\nblock\n')
})

it('reports truncated archives and other files', async () => {
  await write(join(folder, 'three.tar'))
  const whole = await readFile(join(folder, 'three.tar'))
  await writeFile(join(folder, 'cut.tar'), whole.subarray(0, 400_000))
  await expect(contents(join(folder, 'cut.tar'))).rejects.toThrow('The archive is truncated')
  await writeFile(join(folder, 'noise.tar'), big)
  await expect(contents(join(folder, 'noise.tar'))).rejects.toThrow('This is not a tar archive')
  await writeFile(join(folder, 'nothing.tar'), '')
  await expect(contents(join(folder, 'nothing.tar'))).rejects.toThrow('The archive is truncated')
})

it('supports sizes beyond the octal field', async () => {
  const size = 9 * 1024 ** 3
  const sparse = await open(join(folder, 'huge'), 'wx')
  await sparse.truncate(size)
  await sparse.close()
  const path = join(folder, 'four.tar')
  const archive = await open(path, 'wx')
  // Only the header matters: the file is closed before nine gigabytes of zeros are copied.
  const adding = new TarWriter(archive, 0).addFile('huge', join(folder, 'huge'), () => {
    throw new Error('enough')
  })
  await expect(adding).rejects.toThrow('enough')
  await archive.close()
  const reader = await open(path)
  const entry = await readTar(reader).next()
  expect(entry.value).toMatchObject({ name: 'huge', size })
  await reader.close()
})
