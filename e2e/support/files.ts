import { readdir } from 'node:fs/promises'
import type { Waymark } from './waymark.ts'

/** The stored pictures in a data folder, and the temporary files of requests: their names. */
export async function filesOf(waymark: Waymark, folder: 'blobs' | 'temp'): Promise<string[]> {
  const entries = await readdir(`${waymark.dataDir}/${folder}`, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}
