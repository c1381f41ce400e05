import type { Readable } from 'node:stream'

/** A line contains at most an upload as base64. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** The lines of a stream, which are MCP messages. A line that is too long ends the stream, to bound memory usage. */
export async function* linesOf(input: Readable, mostCharacters = MAX_CHARACTERS): AsyncGenerator<string> {
  input.setEncoding('utf8')
  let parts: string[] = []
  let held = 0
  for await (const chunk of input as AsyncIterable<string>) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      yield parts.join('') + chunk.slice(from, end)
      parts = []
      held = 0
      from = end + 1
    }
    held += chunk.length - from
    if (held > mostCharacters) throw new RangeError('A message is too long')
    parts.push(chunk.slice(from))
  }
}
