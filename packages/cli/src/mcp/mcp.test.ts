import { PassThrough, Readable } from 'node:stream'
import { operations } from '@waymark/contract'
import type { Client } from '@waymark/sdk'
import { describe, expect, it } from 'vitest'
import { linesOf } from './json-lines.ts'
import { RpcPeer } from './json-rpc.ts'
import { serveMcp } from './server.ts'
import { toolOperations, toolsOf } from './tools.ts'

const tools = toolsOf(undefined, false)
const hintsOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations

describe('tools derived from the table', () => {
  it('have a name, a title, and a described schema without alternatives at the top level', () => {
    expect(tools.length).toBeGreaterThan(45)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    for (const { name, title, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/)
      expect([title, description]).not.toContain('')
      expect(Object.keys(inputSchema).sort().join()).toMatch(
        /^additionalProperties,properties(,required)?,type$/,
      )
      expect(JSON.stringify(inputSchema)).not.toMatch(/"nullable"|"\$ref"|"format":"binary"/)
      for (const field of Object.values(inputSchema['properties'] as Record<string, object>))
        expect([name, field]).toEqual([name, expect.objectContaining({ description: expect.any(String) })])
    }
  })

  it('declare whether they are read-only or destructive', () => {
    for (const { name, annotations } of tools) {
      const { method } = operations[toolOperations.get(name) ?? 'editLinks']
      expect([name, annotations.readOnlyHint]).toEqual([name, method === 'GET'])
    }
    for (const name of ['remove_links', 'edit_links', 'edit_page', 'undo_import', 'revert_link'])
      expect([name, hintsOf(name)?.destructiveHint]).toEqual([name, true])
    for (const name of ['list_links', 'generate_link', 'generate_qr', 'restore', 'import_links', 'analytics'])
      expect([name, hintsOf(name)?.destructiveHint]).toEqual([name, false])
  })

  it('exclude operations on the account and its sessions', () => {
    for (const { name } of tools)
      expect(name).not.toMatch(/sign_|password|remove_account|takeout|generate_key|session|email/)
    const reading = toolsOf(undefined, true)
    expect(reading.every(({ annotations }) => annotations.readOnlyHint)).toBe(true)
    expect(reading.map(({ name }) => name)).toContain('list_links')
  })

  it('describe how to pass files', () => {
    const describedIn = (folder?: string) => {
      const tool = toolsOf(folder, false).find(({ name }) => name === 'generate_qr')
      const { logo } = (tool?.inputSchema['properties'] ?? {}) as { logo: { description: string } }
      return logo.description
    }
    expect(describedIn()).toMatch(/Give a picture as a data: URL with base64\.$/)
    expect(describedIn('/pictures')).toMatch(/or the path of a file in \/pictures\.$/)
  })
})

describe('JSON-RPC', () => {
  const aborted: unknown[] = []
  const peer = new RpcPeer({
    echo: (parameters) => parameters,
    fail: () => Promise.reject(new Error('broken')),
    wait: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason)
          resolve({})
        })
      }),
  })
  const answer = (message: unknown) => peer.answer(JSON.stringify(message))

  it('responds to requests but not to notifications', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'echo', params: { a: 1 } }
    expect(await answer(request)).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } })
    expect(await answer({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
    expect(await answer({ jsonrpc: '2.0', id: 5, result: {} })).toBeUndefined()
    expect(await answer([request, { jsonrpc: '2.0', method: 'x' }])).toEqual([
      { jsonrpc: '2.0', id: 1, result: { a: 1 } },
    ])
  })

  it('uses the error codes of the standard', async () => {
    const codeOf = async (line: string) =>
      ((await peer.answer(line)) as { error: { code: number } } | undefined)?.error.code
    expect(await codeOf('{')).toBe(-32_700)
    expect(await codeOf('7')).toBe(-32_600)
    expect(await codeOf('{"jsonrpc":"2.0","id":1}')).toBe(-32_600)
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"toString"}')).toBe(-32_601)
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"fail"}')).toBe(-32_603)
  })

  it('aborts a cancelled request, and sends no response', async () => {
    const waiting = answer({ jsonrpc: '2.0', id: 'w', method: 'wait' })
    await answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } })
    expect(await waiting).toBeUndefined()
    expect(aborted).toHaveLength(1)
  })
})

describe('lines', () => {
  const read = async (chunks: string[], most?: number) => {
    const lines: string[] = []
    for await (const line of linesOf(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), most))
      lines.push(line)
    return lines
  }

  it('are assembled from any chunks', async () => {
    expect(await read(['{"a', '":1}\n\n{', '}', '\nrest'])).toEqual(['{"a":1}', '', '{}'])
  })

  it('are rejected if they are too long', async () => {
    await expect(read(['x'.repeat(8), 'y'.repeat(8)], 10)).rejects.toThrow('A message is too long')
  })
})

it('chooses a revision that both sides support, and calls only offered tools', async () => {
  const client = { removeLinks: () => Promise.reject(new Error('must not be called')) } as unknown as Client
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveMcp({ client, version: '1.2.3', isReadOnly: true }, input, output)
  for (const [id, method, params] of [
    [1, 'initialize', { protocolVersion: '2025-06-18' }],
    [2, 'initialize', { protocolVersion: '1999-01-01' }],
    [3, 'tools/call', { name: 'remove_links', arguments: { uuid: 'x' } }],
  ] as const)
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  input.end()
  await served
  output.end()
  const responses: Record<string, { protocolVersion?: string; code?: number }> = {}
  for await (const line of linesOf(output)) {
    const { id, result, error } = JSON.parse(line) as { id: number; result?: object; error?: object }
    responses[id] = result ?? error ?? {}
  }
  expect(responses[1]?.protocolVersion).toBe('2025-06-18')
  expect(responses[2]?.protocolVersion).toBe('2025-11-25')
  expect(responses[3]?.code).toBe(-32_602)
})
