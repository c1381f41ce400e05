import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { askServices } from '../db/testing.ts'
import { openTarget } from '../backups/targets.ts'
import { bucketFault } from './s3.ts'

const inBucket = async (bucket: string): Promise<string> => {
  const url = new URL((await askServices('s3'))['url'] ?? '')
  url.pathname = bucket
  return url.href
}

it('finds nothing wrong with a bucket that exists, with or without a prefix', async () => {
  const url = (await askServices('s3'))['url'] ?? ''
  expect(await bucketFault(url, 'S3_URL')).toBeUndefined()
  expect(await bucketFault(await inBucket(`${new URL(url).pathname}/new/prefix`), 'S3_URL')).toBeUndefined()
})

it('names the bucket that does not exist, without the key', async () => {
  const url = await inBucket('/missing/prefix')
  const { host, password } = new URL(url)
  const fault = await bucketFault(url, '--files-to')
  expect(fault).toEqual({
    kind: 'missing',
    line: `the bucket missing does not exist on the S3 server at ${host}: create it, or correct --files-to`,
  })
  expect(fault?.line).not.toContain(password)
  await expect(openTarget(url).list()).rejects.toThrow('the bucket missing of the backups does not exist')
})

it('says in one line why the server rejects the key', async () => {
  const server = createServer((_request, response) =>
    response
      .writeHead(403, { 'content-type': 'application/xml' })
      .end('<Error>\n<Code>AccessDenied</Code>\n<Message>No\nway</Message>\n</Error>'),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fault = await bucketFault(`http://key:hidden@127.0.0.1:${port}/links`, 'S3_URL')
  expect(fault?.kind).toBe('rejected')
  expect(fault?.line).toMatch(
    /^the S3 server at 127\.0\.0\.1:\d+ rejects access to the bucket links, check S3_URL: .*AccessDenied.*$/,
  )
})

it('tells a server that is unreachable from a missing bucket', async () => {
  expect(await bucketFault('http://key:hidden@127.0.0.1:9/links', 'S3_URL')).toEqual({
    kind: 'unavailable',
    line: 'the S3 server at 127.0.0.1:9 cannot be reached: check S3_URL',
  })
})
