import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { file, type Upload } from '@waymark/sdk'
import type { Fields } from '../operations/call.ts'
import type { Field } from '../operations/fields.ts'
import { uploadOf } from '../operations/files.ts'
import { FailedCommand } from '../terminal/index.ts'

const DATA_URL = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?;base64,/i

/** Bytes of a data: URL. */
function fromDataUrl(text: string, header: RegExpExecArray): Upload {
  const bytes = Buffer.from(text.slice(header[0].length), 'base64')
  return file(bytes, { name: 'upload', type: header[1] })
}

/** The value with every data: URL in it converted to an upload. */
function withUploads(value: unknown): unknown {
  if (typeof value === 'string') {
    const header = DATA_URL.exec(value)
    return header === null ? value : fromDataUrl(value, header)
  }
  if (Array.isArray(value)) return value.map(withUploads)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withUploads(part)]))
}

/** Opens the files of a call. Paths are restricted to the folder that the user has chosen. */
export class CallFiles {
  readonly #folder: string | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** The arguments of a call with their files opened. */
  async open(fields: readonly Field[], given: Fields): Promise<Fields> {
    const opened: Fields = { ...given }
    for (const field of fields) {
      const value = given[field.name]
      if (field.isFile && typeof value === 'string') opened[field.name] = await this.#upload(field, value)
      if (field.holdsFiles && Array.isArray(value))
        opened[field.name] = await Promise.all(
          value.map((item) => (typeof item === 'string' ? this.#upload(field, item) : item)),
        )
      if (field.nestsFiles) opened[field.name] = withUploads(opened[field.name])
    }
    return opened
  }

  async #upload(field: Field, value: string): Promise<Upload> {
    const header = DATA_URL.exec(value)
    if (header !== null) return fromDataUrl(value, header)
    if (field.takesText && /[\n,{<]/.test(value))
      return file(new TextEncoder().encode(value), { name: 'file' })
    return uploadOf(await this.#pathIn(value))
  }

  /** A path inside the folder, after resolving symbolic links. */
  async #pathIn(given: string): Promise<string> {
    if (this.#folder === undefined)
      throw new FailedCommand('Files are given as data: URLs. Start waymark mcp with --files to allow paths')
    const folder = await realpath(this.#folder)
    const path = await realpath(resolve(folder, given)).catch((cause: unknown) => {
      throw new FailedCommand(`${given} does not exist in ${folder}`, { cause })
    })
    if (!path.startsWith(folder + sep)) throw new FailedCommand(`${given} is not in ${folder}`)
    return path
  }
}
