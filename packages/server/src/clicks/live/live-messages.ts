import type { LiveClick } from './live-click.ts'

/** Clicks of one account on their way between processes. */
export interface LiveMessage {
  /** The same message can arrive by two ways: from another worker of this machine, and through Redis. */
  readonly id: string
  readonly clicks: readonly LiveClick[]
}

/** PostgreSQL carries less than 8,000 bytes in one notification, of which the envelope takes some. */
const MAX_BYTES = 7_000

/** Splits clicks into messages that every bus can carry. */
export function toMessages(clicks: readonly LiveClick[], newId: () => string): string[] {
  const messages: string[] = []
  let texts: string[] = []
  let bytes = 0
  const flush = (): void => {
    if (texts.length > 0) messages.push(`{"id":${JSON.stringify(newId())},"clicks":[${texts.join(',')}]}`)
    texts = []
    bytes = 0
  }
  for (const click of clicks) {
    const text = JSON.stringify(click)
    // The envelope is JSON as well, and escapes every quote once more.
    const size = Buffer.byteLength(JSON.stringify(text))
    if (bytes + size > MAX_BYTES) flush()
    texts.push(text)
    bytes += size
  }
  flush()
  return messages
}

export const fromMessage = (message: string): LiveMessage => JSON.parse(message) as LiveMessage
