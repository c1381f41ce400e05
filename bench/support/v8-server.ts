// A server of bench/v8.ts: one trick of packages/server/src/work/v8 switched on or off by TRICK.
import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'

const trick = process.env['TRICK']
const headers = ['location', 'https://example.com/', 'content-length', '0']

if (trick === 'pauses' || trick === 'no pauses') {
  const worker = new URL('./v8-counting.ts', import.meta.url)
  new Worker(worker, { workerData: trick === 'pauses' }).unref()
}

createServer((_request, response) => response.writeHead(302, headers).end()).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
)
process.on('SIGTERM', () => process.exit(0))
