const MEBIBYTE = 1024 * 1024

/** The largest file that an import takes. */
export const IMPORT_FILE_BYTES = 32 * MEBIBYTE

/** An upload after it was decoded, stripped of metadata and encoded again: what is stored and served. */
export interface PreparedImage {
  /** SHA-256 of `bytes`, lower-case hex: the stored name. */
  readonly hash: string
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly format: 'webp' | 'png'
  /** What the upload was by its bytes, whatever its name or declared type said. */
  readonly source: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'
}

/**
 * A file that arrived in a multipart body. A class and not an interface, so that no JSON body can pass for one.
 * `image` or `fault` is filled in by the image intake before the schemas look at it.
 */
export class UploadedFile {
  /** Where its bytes lie until the request is over; empty when it has none. */
  readonly path: string
  /** True size in bytes, also when only the beginning was kept because it is over every limit. */
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
