// A server of bench/v8.ts: one trick of packages/server/src/runtime/v8 switched on or off by TRICK.
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { keepTickShape } from '../../packages/server/src/runtime/v8/tick-shape.ts'

const trick = process.env['TRICK']
const headers = ['location', 'https://example.com/', 'content-length', '0']

if (trick === 'tick shape') keepTickShape()
if (trick === 'tick shape' || trick === 'no tick shape') await forgetShapes()
if (trick === 'pauses' || trick === 'no pauses') {
  const worker = new URL('./v8-counting.ts', import.meta.url)
  new Worker(worker, { workerData: trick === 'pauses' }).unref()
}

createServer((_request, response) => response.writeHead(302, headers).end()).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
)
process.on('SIGTERM', () => process.exit(0))

/** What happens to a server that is idle for some seconds: full collections while no tick is waiting. */
async function forgetShapes(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let turn = 0; turn < 5; turn++) {
    await delay(20)
    collect()
  }
}
