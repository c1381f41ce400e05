import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { withTimeout } from './limits.ts'

it('returns a response that came in time', async () => {
  expect(await withTimeout(Promise.resolve(7), 1_000)).toBe(7)
})

it('gives up', async () => {
  expect(await withTimeout(new Promise(() => {}), 5)).toBeUndefined()
})

it('passes a failure on', async () => {
  await expect(withTimeout(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no')
})

it('returns a response that arrived while this process was busy', async () => {
  // Another process responds, so that this one can be busy meanwhile.
  const echo = `require('node:net').createServer((s) => s.pipe(s)).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', echo], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const socket = connect(Number(line.toString()), '127.0.0.1')
  await once(socket, 'connect')
  const answer = once(socket, 'data').then(([data]) => String(data))
  socket.write('hello')
  const outcome = withTimeout(answer, 5)
  for (const until = performance.now() + 2_000; performance.now() < until;);
  expect(await outcome).toBe('hello')
  socket.destroy()
  child.kill()
})
