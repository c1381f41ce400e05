import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { askServices } from '../db/testing.ts'
import { openBlobs } from './open.ts'
import type { Blobs } from './blobs.ts'

/** Runs the same tests on files and on a real S3 server; every `open` returns an empty store. */
export function forEachBlobs(body: (name: 'files' | 's3', open: () => Promise<Blobs>) => void): void {
  const folders: string[] = []
  const emptyFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-blobs-'))
    folders.push(folder)
    return folder
  }
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })
  describe('files', () => {
    body('files', async () => openBlobs({ url: undefined, dataDir: await emptyFolder() }))
  })
  describe('s3', () => {
    body('s3', async () => {
      const url = new URL((await askServices('s3'))['url'] ?? '')
      url.pathname += `/${crypto.randomUUID()}`
      return openBlobs({ url: url.href, dataDir: await emptyFolder() })
    })
  })
}

/** All names in the store, sorted. */
export async function allHashes(blobs: Blobs): Promise<string[]> {
  const found: string[] = []
  for await (const hash of blobs.list()) found.push(hash)
  return found.sort()
}
