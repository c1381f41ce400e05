import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startErrorLine } from '../compose/start-error.ts'
import { createBucket } from './make-bucket.ts'

const lineOf = async (url: string): Promise<[string | undefined, number]> => {
  let waits = 0
  const error: unknown = await createBucket(url, async () => void waits++).catch((reason: unknown) => reason)
  return [startErrorLine(error), waits]
}

it('names S3 instead of the database if nothing listens at its address', async () => {
  const [line, waits] = await lineOf('http://key:hidden@127.0.0.1:9/links')
  expect(line).toBe('the S3 server at 127.0.0.1:9 cannot be reached: check S3_URL')
  expect(waits).toBeGreaterThan(0)
})

it('reports why the S3 server rejects the bucket, and does not retry', async () => {
  const server = createServer((_request, response) =>
    response
      .writeHead(403, { 'content-type': 'application/xml' })
      .end('<Error><Code>AccessDenied</Code></Error>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [line, waits] = await lineOf(`http://key:hidden@127.0.0.1:${port}/links`)
  expect(line).toBe(
    `the S3 server at 127.0.0.1:${port} rejects the bucket, check S3_URL: this key can neither see nor create the bucket`,
  )
  expect(line).not.toContain('hidden')
  expect(waits).toBe(0)
  server.close()
})
