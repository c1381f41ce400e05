import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { UnsentBytes } from './unsent-bytes.ts'

const MIB = 1024 * 1024
const newResponse = (): ServerResponse => new EventEmitter() as ServerResponse

it('gives every address a share, and takes back what was sent', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  const response = newResponse()
  unsent.hold('a', 3 * MIB, response)
  expect(unsent.hasRoom('a', MIB)).toBe(true)
  expect(unsent.hasRoom('a', 2 * MIB)).toBe(false)
  expect(unsent.hasRoom('b', 2 * MIB)).toBe(true)
  response.emit('close')
  expect(unsent.hasRoom('a', 4 * MIB)).toBe(true)
})

it('bounds all addresses together', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  for (const address of ['a', 'b', 'c']) unsent.hold(address, 3 * MIB, newResponse())
  expect(unsent.hasRoom('d', 2 * MIB)).toBe(false)
  expect(unsent.hasRoom('d', MIB)).toBe(true)
})

it('lets a response pass that is larger than the share, if its address has no other', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  expect(unsent.hasRoom('a', 20 * MIB)).toBe(true)
  unsent.hold('a', 20 * MIB, newResponse())
  expect(unsent.hasRoom('a', MIB)).toBe(false)
})
