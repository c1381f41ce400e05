import { createHash } from 'node:crypto'
import { CodeError } from '@waymark/codes'
import { sites } from '@waymark/contract'
import { fieldError } from '../../net/errors.ts'

/** A row with a picture: its version changes whenever the picture does. */
export interface Pictured {
  readonly uuid: string
  readonly version: string
}

/** The URL of a code's picture. The URL with a version always has the same content. */
export interface ImageUrls {
  png(row: Pictured): string
  svg(row: Pictured): string
}

export const createImageUrls = (baseUrl: string): ImageUrls => {
  const address = ({ uuid, version }: Pictured, ending: string): string =>
    `${baseUrl}${sites.picture}/${uuid}.${ending}?v=${version}`
  return { png: (row) => address(row, 'png'), svg: (row) => address(row, 'svg') }
}

/** A short hash of everything that affects the picture. */
export const versionOf = (look: unknown): string =>
  createHash('sha256').update(JSON.stringify(look)).digest('hex').slice(0, 16)

/** Converts drawing errors to errors of one field, with the text of the drawing library. */
export const asFieldError =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof CodeError && error.fault !== 'bad_option') throw fieldError(field, error.message)
    throw error
  }
