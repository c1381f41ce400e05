import { openAsBlob } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { IMPORT_FILE_BYTES } from '@waymark/contract'
import { file, type Upload } from '@waymark/sdk'
import { FailedCommand, UsageError } from '../terminal/index.ts'
import type { Fields } from './call.ts'
import type { Field } from './fields.ts'

/** A local file to upload. */
export async function uploadOf(path: string): Promise<Upload> {
  const bytes = await readFile(path).catch((cause: unknown) => unreadable(path, cause))
  return file(bytes, { name: basename(path) })
}

/** A local file as a blob; a large one is read in pieces while it is used. */
export async function openFile(path: string): Promise<Blob> {
  try {
    const about = await stat(path)
    return about.isFile() && about.size > IMPORT_FILE_BYTES
      ? await openAsBlob(path)
      : new Blob([await readFile(path)])
  } catch (cause) {
    return unreadable(path, cause)
  }
}

function unreadable(path: string, cause: unknown): never {
  const reason = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read'
  throw new FailedCommand(`${path} ${reason}`, { cause })
}

/** Opens the files whose paths are in an input. */
export async function withFiles(fields: readonly Field[], input: Fields): Promise<Fields> {
  const entries = fields.map(async ({ name, isFile, holdsFiles }) => {
    const value = input[name]
    if (isFile && typeof value === 'string') return [name, await uploadOf(value)]
    if (holdsFiles && Array.isArray(value))
      return [
        name,
        await Promise.all(value.map((item) => (typeof item === 'string' ? uploadOf(item) : item))),
      ]
    return []
  })
  const opened = (await Promise.all(entries)).filter(({ length }) => length > 0)
  return { ...input, ...(Object.fromEntries(opened) as Fields) }
}

/** The fields of a JSON file, or of standard input (`-`). */
export async function readInput(path: string | undefined): Promise<Fields> {
  if (path === undefined) return {}
  const text = await readFile(path === '-' ? '/dev/stdin' : path, 'utf8').catch((cause: unknown) => {
    throw new FailedCommand(`${path} cannot be read`, { cause })
  })
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields
  } catch {
    // The same message as for a file with other content.
  }
  throw new UsageError(`--input: ${path} must hold one JSON object`)
}
