import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Packs an npm package into a folder; returns the path of the file. */
export function packFolder(folder: string, into: string): string {
  const text = execFileSync(
    'npm',
    ['pack', folder, '--pack-destination', into, '--json', '--ignore-scripts'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [packed] = JSON.parse(text) as { filename: string }[]
  if (packed === undefined) throw new Error(`npm packed nothing of ${folder}`)
  return join(into, packed.filename)
}
