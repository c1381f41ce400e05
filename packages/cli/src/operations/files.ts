import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { file, type Upload } from '@waymark/sdk'
import { FailedCommand, UsageError } from '../terminal/index.ts'
import type { Fields } from './call.ts'
import type { Field } from './fields.ts'

/** A file of this machine, to be uploaded. */
export async function uploadOf(path: string): Promise<Upload> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    throw new FailedCommand(`${path} ${reason}`, { cause })
  })
  return file(bytes, { name: basename(path) })
}

/** Opens the files that an input names by their paths. */
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
    // The same message as for a file that holds something else.
  }
  throw new UsageError(`--input: ${path} must hold one JSON object`)
}
