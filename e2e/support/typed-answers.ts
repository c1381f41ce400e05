import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { needProgram } from '../../scripts/services/programs.ts'
import { launchedBy, launcher } from './waymark.ts'

/** Types answers into a command on a pseudo-terminal: each one when its question stands there. */
export async function typed(
  settings: Record<string, string>,
  words: string,
  answers: readonly [string, string][],
) {
  const command = `'${launchedBy}' '${launcher}' ${words}`
  const terminal = await needProgram(['script'], 'bsdutils')
  const child = spawn(terminal, ['-qec', command, '/dev/null'], { env: { ...process.env, ...settings } })
  let shown = ''
  for (const out of [child.stdout, child.stderr])
    out.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const exit = once(child, 'exit') as Promise<[number | null]>
  for (const [question, answer] of answers) {
    await expect.poll(() => shown, { timeout: 60_000 }).toContain(question)
    child.stdin.write(`${answer}\r`)
  }
  const [code] = await exit
  return { code, shown }
}
