import type { Click } from '../../packages/server/src/clicks/spool/record.ts'
import { uuidOf } from './links.ts'

/** Repeatable: the same numbers in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const systems = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 14; Pixel 8',
  'iPhone; CPU iPhone OS 17_4 like Mac OS X',
]
const agents = Array.from({ length: 60 }, (_, i) => {
  const system = systems[i % systems.length] ?? ''
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + (i % 15)}.0.0.0 Safari/537.36`
})

/**
 * Clicks as a busy service sees them: few links get most of them (the share falls with the rank), a visitor comes
 * about twice, a third arrive from one of fifty sites, and one in twenty is a bot.
 */
export function traffic(links: number, visitors: number, seed = 1): (atMs: number) => Click {
  const random = randomNumbers(seed)
  const rank = (count: number): number => Math.floor(count ** random()) - 1
  return (atMs) => {
    const visitor = Math.floor(random() * visitors)
    return {
      atMs,
      kind: 'link',
      resourceUuid: uuidOf(Math.max(0, rank(links))),
      detail: '',
      address: `${80 + (visitor % 12)}.${(visitor >> 4) % 256}.${(visitor >> 12) % 256}.${visitor % 256}`,
      userAgent:
        random() < 0.05 ? 'Mozilla/5.0 (compatible; Googlebot/2.1)' : (agents[visitor % agents.length] ?? ''),
      referrer: random() < 0.67 ? '' : `https://site-${rank(50)}.example/page`,
      prefetch: false,
    }
  }
}
