// Makes the bucket that S3_URL names, if it is not there; run once before the first node starts.
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'

const require = createRequire(new URL('../packages/server/package.json', import.meta.url))
const { S3mini } = await import(require.resolve('s3mini'))

const url = new URL(process.env.S3_URL ?? '')
const [bucket] = url.pathname.split('/').filter(Boolean)
const client = new S3mini({
  accessKeyId: decodeURIComponent(url.username),
  secretAccessKey: decodeURIComponent(url.password),
  endpoint: `${url.protocol}//${url.host}/${bucket}`,
  region: url.searchParams.get('region') ?? 'auto',
})

for (let attempt = 1; ; attempt++) {
  try {
    if (!(await client.bucketExists())) await client.createBucket()
    console.log(`The bucket ${bucket} is there`)
    break
  } catch (error) {
    if (attempt === 30) throw error
    await delay(1_000)
  }
}
