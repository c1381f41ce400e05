import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { forEachDatabase, insertTestUser } from '../db/testing.ts'
import { hashOf } from './blobs.ts'
import { BlobReferences } from './blob-references.ts'
import { openBlobs } from './open.ts'

const bytes = Buffer.from('one')

/** Accepts requests and never responds. */
async function startHangingS3() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.on('request', (request) => request.on('error', () => {}))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, url: `http://key:secret@127.0.0.1:${port}/bucket` }
}

forEachDatabase((_engine, open) => {
  it('does not block other writes while S3 does not respond', async () => {
    const db = await open()
    const { server, url } = await startHangingS3()
    const reported: unknown[] = []
    const blobs = await openBlobs({ url, dataDir: '' })
    const references = new BlobReferences(db, blobs, { report: (error) => reported.push(error) })
    const hash = hashOf(bytes)
    await db.write(async () => {
      const row = { hash, bytes: bytes.length, width: null, height: null, created_at: 0 }
      await db.sql.insertInto('blobs').values(row).execute()
      const ref = { hash, owner: 'page:1', workspace_uuid: null, created_at: 0 }
      await db.sql.insertInto('blob_refs').values(ref).execute()
    })
    const requested = once(server, 'request') as Promise<[IncomingMessage]>
    await db.write(() => references.release('page:1'))
    const [request] = await requested
    expect(request.method).toBe('DELETE')
    const aborted = once(request.socket, 'close')

    let isAborted = false
    const timeout = aborted.then(() => (isAborted = true))
    // This ends while the request hangs. A request inside a transaction of SQLite would block it.
    await insertTestUser(db)
    expect(isAborted).toBe(false)

    await timeout
    await references.settled()
    expect(reported).toMatchObject([{ name: 'UnavailableError' }])
    // S3 may or may not have removed the file: the row stays until a sweep succeeds.
    expect(await references.has(hash)).toBe(true)
    await references.close()
  })
})
