const MEBIBYTE = 1024 * 1024

/** Maximum size of an import file. */
export const IMPORT_FILE_BYTES = 32 * MEBIBYTE

/** The error of an upload that is not an image. */
export const NO_IMAGE = 'Must be an image: PNG, JPEG, GIF, WebP or AVIF'

/** An upload after it was decoded, stripped of metadata and encoded again: the stored and served form. */
export interface PreparedImage {
  /** SHA-256 of `bytes`, lower-case hex: the stored name. */
  readonly hash: string
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly format: 'webp' | 'png'
  /** The format of the upload by its bytes, whatever its name or declared type. */
  readonly source: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'
}

/**
 * A file in a multipart body. A class instead of an interface, so that no JSON body can imitate it. `image` or `fault` is set
 * by the image decoder before the schemas see it.
 */
export class UploadedFile {
  /** Path of its bytes until the request is over; empty if it has none. */
  readonly path: string
  /** True size in bytes, even if only the beginning was stored because it exceeds every limit. */
  readonly size: number
  /** The client's name for it: shown to people, never trusted and never part of a path. */
  readonly filename: string
  image?: PreparedImage
  fault?: string

  constructor(file: { path: string; size: number; filename: string }) {
    this.path = file.path
    this.size = file.size
    this.filename = file.filename
  }
}
