import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileSyncs } from './spool.ts'

type Flushed = (error: NodeJS.ErrnoException | null) => void

function open() {
  const flushes: { fd: number; end: Flushed }[] = []
  const faults: Error[] = []
  const flush = Object.assign((fd: number, end: Flushed) => void flushes.push({ fd, end }), {
    __promisify__: () => Promise.reject(new Error('not used')),
  })
  const folder = mkdtempSync(join(tmpdir(), 'waymark-sync-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let files = 0
  return {
    syncs: new FileSyncs((fault) => faults.push(fault), flush),
    flushes,
    faults,
    newFile: () => openSync(join(folder, String(files++)), 'w'),
  }
}

test('runs effects after the flush; effects added meanwhile share the next flush', () => {
  const { syncs, flushes, newFile } = open()
  const fd = newFile()
  const done: number[] = []
  for (const n of [1, 2, 3]) syncs.after(fd, [() => done.push(n)])
  expect([flushes.length, done]).toEqual([1, []])
  flushes[0]?.end(null)
  expect([flushes.length, done]).toEqual([2, [1]])
  flushes[1]?.end(null)
  expect([flushes.length, done]).toEqual([2, [1, 2, 3]])
  closeSync(fd)
})

test('closes a file only after its last flush, and flushes the next file by its own descriptor', () => {
  const { syncs, flushes, newFile } = open()
  const [first, second] = [newFile(), newFile()]
  const done: string[] = []
  syncs.after(first, [() => done.push('first')])
  syncs.after(first, [() => done.push('waiting')])
  syncs.close(first)
  // Closing has flushed the waiting effects.
  expect(done).toEqual(['waiting'])
  expect(fstatSync(first).isFile()).toBe(true)
  syncs.after(second, [() => done.push('second')])
  flushes[0]?.end(null)
  expect(done).toEqual(['waiting', 'first'])
  expect(() => fstatSync(first)).toThrow('EBADF')
  expect(flushes[1]?.fd).toBe(second)
  flushes[1]?.end(null)
  expect(done).toEqual(['waiting', 'first', 'second'])
  syncs.close(second)
  expect(() => fstatSync(second)).toThrow('EBADF')
})

test('reports a failing disk without delaying visitors', () => {
  const { syncs, flushes, faults, newFile } = open()
  const fd = newFile()
  let answered = false
  syncs.after(fd, [() => (answered = true)])
  flushes[0]?.end(new Error('EIO'))
  expect([answered, faults.map(({ message }) => message)]).toEqual([true, ['EIO']])
  closeSync(fd)
})
