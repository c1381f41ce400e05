import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openDatabase } from '../db/open.ts'
import { openBlobs } from './open.ts'
import { hashOf } from './blobs.ts'
import { BlobReferences } from './blob-references.ts'
import { allHashes } from './testing.ts'

const child = fileURLToPath(new URL('blob-references.crash-child.ts', import.meta.url))

/** Runs the process until it has printed enough, kills it, and returns its output. */
async function liveAndDie(dataDir: string, worker: string, lines: number): Promise<string[]> {
  const process_ = spawn(process.execPath, [child, dataDir, worker], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  process_.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.split('\n').length > lines) process_.kill('SIGKILL')
  })
  await once(process_, 'close')
  return output.split('\n').slice(0, -1)
}

it('neither loses files with an owner nor leaves files without one if processes are killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-crash-'))
  for (const [round, lines] of [40, 173, 311].entries()) {
    const said = await Promise.all(
      ['a', 'b'].map((worker) => liveAndDie(dataDir, `${round}${worker}`, lines)),
    )
    const db = await openDatabase({ url: undefined, dataDir })
    const blobs = await openBlobs({ url: undefined, dataDir })
    const refs = await db.sql.selectFrom('blob_refs').select(['owner', 'hash']).execute()
    const owners = new Set(refs.map((ref) => ref.owner))
    const events = said.flat().map((line) => /^(kept|releasing) (\S+) (.*)$/.exec(line))
    const released = new Set(events.filter((event) => event?.[1] === 'releasing').map((event) => event?.[2]))
    const kept = events.filter((event) => event?.[1] === 'kept' && !released.has(event[2]))
    expect(kept.length).toBeGreaterThan(5)
    for (const event of kept) expect(owners).toContain(event?.[2])
    for (const { owner, hash } of refs) {
      if (!owner.startsWith('pending:')) expect(hashOf((await blobs.get(hash)) ?? Buffer.of())).toBe(hash)
    }
    await new BlobReferences(db, blobs, { now: () => Date.now() + 660_000 }).sweep()
    const needed = await db.sql.selectFrom('blob_refs').select('hash').distinct().execute()
    expect(await allHashes(blobs)).toEqual(needed.map(({ hash }) => hash).sort())
    await db.close()
  }
  await rm(dataDir, { recursive: true })
})
