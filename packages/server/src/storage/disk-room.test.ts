import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { DiskRoom } from './disk-room.ts'

const MIB = 1024 * 1024

const roomOf = async (freeBytes: number, totalBytes: number): Promise<DiskRoom> => {
  const room = new DiskRoom('', {
    sqlite: undefined,
    report: console.error,
    look: () => Promise.resolve({ freeBytes, totalBytes }),
  })
  await room.refresh()
  return room
}

it('keeps half a gigabyte of a large volume free', async () => {
  const room = await roomOf(600 * MIB, 100_000 * MIB)
  expect([room.hasRoomFor(88 * MIB), room.hasRoomFor(89 * MIB)]).toEqual([true, false])
  await room.close()
})

it('keeps a tenth of a small volume free', async () => {
  const room = await roomOf(20 * MIB, 100 * MIB)
  expect([room.hasRoomFor(10 * MIB), room.hasRoomFor(11 * MIB)]).toEqual([true, false])
  await room.close()
})

it('works on a real volume', async () => {
  const room = new DiskRoom(tmpdir(), { sqlite: undefined, report: console.error })
  await room.refresh()
  expect([room.hasRoomFor(0), room.hasRoomFor(1e18)]).toEqual([true, false])
  await room.close()
})
