import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** The relevant part of an entry in Vite's manifest. */
export interface ManifestChunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** The transfer size of a file. */
export interface FileSize {
  readonly file: string
  readonly gzip: number
  readonly brotli: number
}

/** Everything that a chunk needs to start: itself, its imports, and their style sheets. */
export function filesOf(manifest: Record<string, ManifestChunk>, key: string): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || seen.has(name)) return
    seen.add(name)
    files.add(chunk.file)
    for (const sheet of chunk.css ?? []) files.add(sheet)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  visit(key)
  return files
}

/** The key of the chunk that index.html loads. */
export function entryOf(manifest: Record<string, ManifestChunk>): string {
  const entry = Object.entries(manifest).find(([, chunk]) => chunk.isEntry === true)
  if (entry === undefined) throw new Error('The manifest names no entry')
  return entry[0]
}

/** The sizes of files in a folder. */
export function sizesOf(folder: string, files: Iterable<string>): FileSize[] {
  return [...files].map((file) => {
    const bytes = readFileSync(join(folder, file))
    return {
      file,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes).length,
    }
  })
}

/** The manifest of a build in its folder. */
export function readManifest(folder: string): Record<string, ManifestChunk> {
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    ManifestChunk
  >
}
