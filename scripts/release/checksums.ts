import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'SHA256SUMS'

/** Writes the checksums of a folder's files in the format of `sha256sum --check`; returns the lines. */
export function writeChecksums(folder: string): string[] {
  const lines = readdirSync(folder)
    .filter((name) => name !== FILE)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}`,
    )
  writeFileSync(join(folder, FILE), `${lines.join('\n')}\n`)
  return lines
}
