import { readFileSync } from 'node:fs'

const source = readFileSync(new URL('../packages/server/src/config.ts', import.meta.url), 'utf8')

/** Every variable that config.ts reads. */
export const configVariables: ReadonlySet<string> = new Set(
  [...source.matchAll(/\b(?:read|limit)\('([A-Z][A-Z\d_]+)'/g)].map(([, name]) => name ?? ''),
)
