import { operations } from '@waymark/contract'
import { expect, it } from 'vitest'
import { playOnServer } from '../scripts/examples/play.ts'
import { stacks } from './support/stacks.ts'

/* Every operation once, with files and SQLite, and with PostgreSQL, Redis and S3: the life of the account in the examples. */

it.each(Object.entries(stacks))('every operation succeeds on the %s stack', async (_stack, settings) => {
  await playOnServer(await settings(), ({ recorder }) => {
    const statuses = [...recorder.examples].map(([name, { status }]) => [name, status < 300 || status])
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(Object.keys(operations).map((name) => [name, true])),
    )
  })
})
