import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { openLimits } from '../limits/open.ts'
import { WindowCounters } from '../limits/limits.ts'
import { openBus } from './open.ts'
import { serveWorkers } from './cluster.ts'

/** Started by workers.test.ts: a real primary with two real workers, which print what they received. */
const NOW = 1_800_000_000_000

if (cluster.isPrimary) {
  const counters = new WindowCounters()
  serveWorkers((key, cost, windowMs) => counters.add(key, NOW, cost, windowMs))
  const workers = ['a', 'b'].map((name) => cluster.fork({ WORKER_NAME: name }))
  process.on('disconnect', () => workers.forEach((worker) => worker.kill()))
} else {
  const name = process.env['WORKER_NAME'] ?? ''
  const bus = openBus({ redisUrl: undefined })
  const limits = openLimits({ redisUrl: undefined, now: () => NOW })
  const heard: string[] = []
  bus.subscribe('hello', (message) => heard.push(message))
  let allowed = 0
  for (let n = 0; n < 30; n++) if ((await limits.take('shared', 40)).allowed) allowed++
  // Wait until the other one is connected as well.
  while (!heard.some((from) => from !== name)) {
    bus.publish('hello', name)
    await delay(10)
  }
  bus.publish('hello', name)
  console.log(JSON.stringify({ name, allowed, heard: [...new Set(heard)].sort() }))
  await delay(500)
  process.exit(0)
}
