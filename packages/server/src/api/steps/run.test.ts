import { Readable } from 'node:stream'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../net/caller.ts'
import type { Call } from '../call.ts'
import type { Reply, RequestFacts } from '../routes.ts'
import { runHandler } from './run.ts'

const caller: Caller = { kind: 'session', uuid: 's', userUuid: 'u', workspaceUuid: 'w', role: 'owner' }

const callOf = (name: OperationName, run: () => Promise<Reply>): Call => {
  const operation: Operation = operations[name]
  return {
    request: {} as FastifyRequest,
    reply: {} as FastifyReply,
    meter: { take: () => Promise.resolve() },
    facts: { address: '203.0.113.7', requestId: 'r' } as RequestFacts,
    route: { name, handler: { prepare: () => Promise.resolve(undefined), run: run as never } },
    operation,
    isWrite: operation.method === 'POST',
    caller,
    proof: undefined,
    raw: undefined,
    fields: { body: {}, query: {}, ignored: [] },
    needs: { scopes: ['links:read'] },
    transact: undefined,
  }
}

const dependencies = () => {
  const seen: unknown[] = []
  const step = runHandler({
    routes: [],
    audit: {
      record: async (entries) => void seen.push(['audit', entries.map(({ operation }) => operation)]),
      noteRejected: () => undefined,
    },
    memberships: { membershipsOf: () => Promise.resolve([]), isSuspended: () => false },
    rights: { hold: (...held) => void seen.push(['held', ...held]) },
    reading: (work) => work(),
    writing: (work) => work(),
    changesKnown: async () => void seen.push('changes known'),
  })
  return { seen, run: (call: Call) => step(call, () => Promise.reject(new Error('It is the last step'))) }
}

const all = Object.entries(operations) as [OperationName, Operation][]

describe('runHandler', () => {
  it.each(all)('%s: a streamed response is registered under its right', async (name, operation) => {
    const { seen, run } = dependencies()
    const payload = Readable.from(['row'])
    await run(callOf(name, () => Promise.resolve({ status: 200, payload })))
    const held = { caller, operation, needs: { scopes: ['links:read'] } }
    expect(seen).toContainEqual(['held', held, payload, undefined])
  })

  it('runs a write with its entry in the audit log, and waits until other processes know the change', async () => {
    const { seen, run } = dependencies()
    const payload = { status: 'success', message: 'Removed', data: { uuid: 'l' } } as const
    await run(callOf('removeLinks', async () => (seen.push('ran'), { status: 200, payload })))
    expect(seen).toEqual(['ran', ['audit', ['removeLinks']], 'changes known'])
  })

  it('other processes know the changes of a write that failed', async () => {
    const { seen, run } = dependencies()
    await expect(run(callOf('removeLinks', () => Promise.reject(new Error('x'))))).rejects.toThrow('x')
    expect(seen).toEqual(['changes known'])
  })
})
