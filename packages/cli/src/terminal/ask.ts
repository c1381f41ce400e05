import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks on the terminal; what is typed for a secret is not shown. */
export async function ask(question: string, isSecret = false): Promise<string> {
  process.stderr.write(question)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({
    input: process.stdin,
    output: isSecret ? hidden : process.stderr,
    terminal: true,
  })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    if (isSecret) process.stderr.write('\n')
  }
}
