import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { FailedCommand } from './output.ts'

/** Prompts on the terminal; the input of a secret is not shown. */
export async function ask(question: string, isSecret = false): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? hidden : process.stderr
  // Opened before the question is shown: from then on the terminal does not echo input.
  const prompt = createInterface({ input: process.stdin, output, terminal: true })
  try {
    if (isSecret) process.stderr.write(question)
    return await prompt.question(isSecret ? '' : question)
  } catch (cause) {
    // Ctrl+C or Ctrl+D.
    throw new FailedCommand('Cancelled', { cause })
  } finally {
    prompt.close()
    if (isSecret) process.stderr.write('\n')
  }
}
