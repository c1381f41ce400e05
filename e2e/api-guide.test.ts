import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { needProgram } from '../scripts/services/programs.ts'
import { startWaymark } from './support/waymark.ts'

/* The samples of the API guides, run as they are, one after another: every shell block that a JSON block follows prints such a response. */

const run = promisify(execFile)
const GUIDES = ['api', 'errors', 'pagination', 'idempotency', 'rate-limits']
const guide = (name: string): string => fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url))
const BLOCK = /^```(sh|json)\n(.*?)^```$/gms
const END = '=====end of the block====='

interface Sample {
  readonly script: string
  readonly expected: Record<string, unknown> | undefined
}

const samplesOf = (text: string): Sample[] => {
  const blocks = [...text.matchAll(BLOCK)].map(([, kind, content = '']) => ({ kind, content }))
  return blocks.flatMap(({ kind, content }, at) => {
    if (kind !== 'sh') return []
    const next = blocks[at + 1]
    const expected = next?.kind === 'json' ? (JSON.parse(next.content) as Record<string, unknown>) : undefined
    return [{ script: content, expected }]
  })
}

test('every sample of the API guides works and prints what the guide shows', async () => {
  for (const program of ['bash', 'curl', 'openssl']) await needProgram([program], program)
  const texts = await Promise.all(GUIDES.map((name) => readFile(guide(name), 'utf8')))
  const samples = texts.flatMap(samplesOf)
  expect(samples.filter(({ expected }) => expected !== undefined).length).toBeGreaterThan(5)
  const waymark = await startWaymark()
  try {
    const account = await waymark.account()
    const { PATH = '' } = process.env
    const env = { PATH, BASE_URL: waymark.url, API_KEY: account.apiKey, SECRET: account.secret }
    const script = samples.map(({ script }) => `${script}\nprintf '\\n${END}\\n'\n`).join('')
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env })
    const outputs = stdout.split(`${END}\n`)
    for (const [at, { script, expected }] of samples.entries()) {
      if (expected === undefined) continue
      const printed = JSON.parse(outputs[at] ?? '') as Record<string, unknown>
      const { errors, ...others } = expected
      expect(printed, script).toMatchObject(others)
      if (errors !== undefined)
        expect(Object.keys(printed['errors'] as object), script).toEqual(Object.keys(errors as object))
    }
  } finally {
    await waymark.stop()
  }
})
