/** Bytes that arrive bit by bit: a stream of the web or of Node. They are read once, to be signed and sent. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** What can be uploaded as it is. For a file on disk, or to give a name, use `file`. */
export type Uploadable = Blob | ArrayBuffer | Uint8Array | ByteStream | Upload

/** Name and type of an upload. The server looks at the bytes alone; both are for people. */
export interface UploadOptions {
  /** Name of the file, such as `logo.png`. */
  readonly name?: string | undefined
  /** Media type, such as `image/png`. */
  readonly type?: string | undefined
}

/** An upload with its name, made by `file`. */
export class Upload {
  /** Where the bytes come from. */
  readonly source: string | URL | Blob | ArrayBuffer | Uint8Array | ByteStream
  /** Its name and type. */
  readonly options: UploadOptions

  constructor(source: Upload['source'], options: UploadOptions) {
    this.source = source
    this.options = options
  }
}

/** A file to upload: from its path on disk (not in browsers), or from bytes or a stream that get a name. */
export const file = (source: Upload['source'], options: UploadOptions = {}): Upload =>
  new Upload(source, options)

type Fields = Readonly<Record<string, unknown>>

type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

const isStream = (value: object): value is ByteStream => 'getReader' in value || Symbol.asyncIterator in value

async function* chunksOf(stream: ByteStream): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) {
    yield* stream
    return
  }
  // Not every browser can iterate over a stream.
  const reader = stream.getReader()
  let next = await reader.read()
  while (!next.done) {
    yield next.value
    next = await reader.read()
  }
}

const bytesOf = async (stream: ByteStream): Promise<Bytes[]> => {
  const parts: Bytes[] = []
  for await (const chunk of chunksOf(stream)) parts.push(chunk as Uint8Array<ArrayBuffer>)
  return parts
}

interface FileSystem {
  readonly promises: { readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>> }
}

/** Imported in this way, so that no bundler looks for a file system in a browser. */
const fileSystem = (): FileSystem => {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => FileSystem } }
  const found = process?.getBuiltinModule?.('node:fs')
  if (found === undefined) throw new TypeError('A path can be uploaded only where there is a file system')
  return found
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? 'file'

const named = (parts: Bytes[], name: string, type: string): Blob => new File(parts, name, { type })

const blobOf = async ({ source, options: { name, type = '' } }: Upload): Promise<Blob> => {
  if (typeof source === 'string' || source instanceof URL) {
    const bytes = await fileSystem().promises.readFile(source)
    return named([bytes], name ?? nameOf(String(source)), type)
  }
  if (source instanceof Blob)
    return name === undefined ? source : named([source], name, type === '' ? source.type : type)
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return named([source as Uint8Array<ArrayBuffer>], name ?? 'file', type)
  // A stream that Node reads from a file knows its path.
  const { path } = source as { path?: unknown }
  return named(await bytesOf(source), name ?? (typeof path === 'string' ? nameOf(path) : 'file'), type)
}

/** A body whose uploads, wherever they stand in it, are blobs: they can be signed, and sent more than once. */
export const withBlobs = async (value: unknown): Promise<unknown> => {
  if (typeof value !== 'object' || value === null || value instanceof Blob || value instanceof Date)
    return value
  if (value instanceof Upload) return blobOf(value)
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || isStream(value))
    return blobOf(file(value as Uint8Array))
  if (Array.isArray(value)) return Promise.all(value.map(withBlobs))
  const entries = Object.entries(value as Fields).map(async ([key, field]) => [key, await withBlobs(field)])
  return Object.fromEntries(await Promise.all(entries)) as unknown
}
