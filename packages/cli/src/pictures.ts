import { writeFile } from 'node:fs/promises'
import { readCredentials } from './credentials.ts'
import type { Fields } from './operations/call.ts'
import { FailedCommand, UsageError } from './terminal/index.ts'

const FIELDS = { svg: 'svg_url', png: 'image_url' } as const

export type PictureFormat = keyof typeof FIELDS

/** The format of a picture, from the name of its file. */
export function pictureFormat(path: string): PictureFormat {
  const format = /\.(svg|png)$/i.exec(path)?.[1]?.toLowerCase()
  if (format === undefined) throw new UsageError('--out must end in .svg or .png')
  return format as PictureFormat
}

/** The picture of a code. */
export async function readPicture(code: Fields, format: PictureFormat): Promise<Uint8Array> {
  const { pathname, search } = new URL(String(code[FIELDS[format]]))
  // Asked for where the API is: the public address may not be reachable from here.
  const response = await fetch(new URL(pathname + search, (await readCredentials()).url))
  if (!response.ok) throw new FailedCommand(`The picture could not be downloaded: status ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Saves the picture of a code. */
export const savePicture = async (code: Fields, path: string): Promise<void> =>
  writeFile(path, await readPicture(code, pictureFormat(path)))
