import { access, constants, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readCredentials } from './credentials.ts'
import type { Fields } from './operations/call.ts'
import { FailedCommand, UsageError } from './terminal/index.ts'

const FIELDS = { svg: 'svg_url', png: 'image_url' } as const

export type PictureFormat = keyof typeof FIELDS

/** The format of a picture, from the name of its file. */
function pictureFormat(path: string): PictureFormat {
  const format = /\.(svg|png)$/i.exec(path)?.[1]?.toLowerCase()
  if (format === undefined) throw new UsageError('--out must end in .svg or .png')
  return format as PictureFormat
}

/** The picture of a code. */
export async function readPicture(code: Fields, format: PictureFormat): Promise<Uint8Array> {
  const { pathname, search } = new URL(String(code[FIELDS[format]]))
  // Requested from the API's address, because the public one may not be reachable from here.
  const response = await fetch(new URL(pathname + search, (await readCredentials()).url))
  if (!response.ok) throw new FailedCommand(`The picture could not be downloaded: status ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Checked before a code is created, which would remain although the command fails. */
export async function checkPicturePath(path: string): Promise<void> {
  pictureFormat(path)
  await access(dirname(resolve(path)), constants.W_OK).catch((cause: unknown) => unwritable(path, cause))
}

/** Saves the picture of a code. */
export async function savePicture(code: Fields, path: string): Promise<void> {
  const picture = await readPicture(code, pictureFormat(path))
  await writeFile(path, picture).catch((cause: unknown) => unwritable(path, cause))
}

function unwritable(path: string, cause: unknown): never {
  throw new FailedCommand(`${path} cannot be written`, { cause })
}
