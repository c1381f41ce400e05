import { MOST_LINKS_AT_ONCE } from '@waymark/contract/schemas'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportedLink } from './import-rules.ts'
import { type ImportSummary, readImport, readInSteps } from './read-import.ts'
import { LinkLines, linksFrom } from './link-lines.ts'

/** A file that was read. */
export interface ReadFile {
  readonly summary: ImportSummary
  /** The links that can be imported, as `LinkLines` writes them. */
  readonly lines: Uint8Array<ArrayBuffer>
  /** The first of them. */
  readonly first: readonly ImportedLink[]
}

const FIRST = 10

/** Reads a whole file, at once; in a thread of its own. */
export function readLinks(bytes: Uint8Array, source: string | undefined, key: string): ReadFile {
  const { take, finish } = gathering(key)
  return finish(readImport(bytes, source, take))
}

/** Reads a small file while the process goes on serving others. */
export async function readSmallFile(
  bytes: Uint8Array,
  source: string | undefined,
  key: string,
): Promise<ReadFile> {
  const { take, finish } = gathering(key)
  const reading = readInSteps(bytes, source, take)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return finish(step.value)
    await nextTurn()
  }
}

function gathering(key: string) {
  const lines = new LinkLines(key)
  const first: ImportedLink[] = []
  return {
    take: (link: ImportedLink): void => {
      if (first.length < FIRST) first.push({ ...link, input: { ...link.input, password: null } })
      lines.push(link)
    },
    finish: (summary: ImportSummary): ReadFile => ({ summary, lines: lines.bytes(), first }),
  }
}

/** The links of a small file; undefined: there are too many to create them at once. */
export function linksForNow({ summary, lines }: ReadFile, key: string): readonly ImportedLink[] | undefined {
  if (summary.total > MOST_LINKS_AT_ONCE) return undefined
  // As many earlier short codes as links: more of them would keep others waiting.
  const { links, end } = linksFrom(lines, 0, 2 * MOST_LINKS_AT_ONCE, key)
  return end < lines.length ? undefined : links
}
