import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ServerProcess, commandsOf, freePort } from './server-process.ts'
import type { Service } from './server-process.ts'

const BUCKET = 'waymark'

/** Starts an S3 server with an empty bucket; its URL has the format of S3_URL. */
export async function startS3(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-s3-'))
  const port = await freePort()
  const require = createRequire(import.meta.url)
  const program = join(dirname(require.resolve('@20minutes/s3rver')), 'cli.js')
  const run = `require(${JSON.stringify(program)}).parseAsync(['', '', ...process.argv.slice(1)])`
  const flags = ['--directory', folder, '--address', '127.0.0.1', '--port', `${port}`]
  // It computes the signature of a LIST differently from S3 itself.
  flags.push('--allow-mismatched-signatures', '--no-vhost-buckets', '--configure-bucket', BUCKET)
  const server = new ServerProcess({
    file: process.execPath,
    args: ['-e', run, '--', ...flags],
    ready: /listening/i,
    endSignal: 'SIGTERM',
  })
  await server.start()
  return {
    url: `http://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}?region=us-east-1`,
    port,
    ...commandsOf(server, folder),
  }
}
