import { IMPORT_FILE_BYTES } from '@waymark/contract'
import type { Client } from './client.ts'
import type { Import, Input } from './operations.ts'
import { file as namedFile } from './uploads.ts'
import { divideFile, type FilePart, type PartSize } from './divide-file.ts'
import { followImport } from './follow-import.ts'

/** How far the import of a file is. */
export interface ImportFileProgress {
  /** The part that is being imported, from 1 on. */
  readonly part: number
  /** Number of parts. */
  readonly parts: number
  /** What is being done with it: `upload`, counted in bytes, or `import`, counted in links. */
  readonly step: 'upload' | 'import'
  /** Bytes or links so far. */
  readonly done: number
  /** Bytes or links in all. */
  readonly total: number
  /** How much of the whole file is done, from 0 to 1. */
  readonly share: number
}

/** How to import a file. */
export interface ImportFileOptions extends Pick<
  Input<'importLinks'>,
  'source' | 'columns' | 'on_taken' | 'domain'
> {
  /** Name of the file; default: its own. */
  readonly name?: string | undefined
  /** Import a large file once more although parts of it, or all of it, were imported in the last 90 days. */
  readonly again?: boolean | undefined
  /** Reports how far it is. */
  readonly onProgress?: ((progress: ImportFileProgress) => void) | undefined
  /** Called with each part that has ended. */
  readonly onPart?: ((ended: Import) => void) | undefined
  /** Stops after the request that is under way. A part that is being imported by the server goes on. */
  readonly signal?: AbortSignal | undefined
  /** How large parts are; smaller ones are for tests. */
  readonly partSize?: PartSize | undefined
}

/** What became of a file. Lines of problems are those of the whole file. */
export interface ImportedFile
  extends
    Pick<Import, 'state' | 'error' | 'total' | 'importable' | 'created' | 'skipped' | 'renamed'>,
    Pick<Import, 'problems' | 'problem_count'> {
  /** Number of parts that the file has. */
  readonly parts: number
  /** The imports of its parts, in order; those after one that failed are missing. */
  readonly imports: readonly Import[]
}

/** A file as it would be imported. */
export interface FilePreview {
  /** The preview of its first part; of a file up to 32 MiB that is all of it. */
  readonly import: Import
  /** Number of parts. */
  readonly parts: number
  /** How many of them are imported already, or being imported. */
  readonly imported: number
}

/** How much of the work on a part the upload is. */
const UPLOAD_SHARE = 0.2
const MOST_PROBLEMS = 1_000
/** The last imports of an account, among which parts of a file are looked for. */
const LOOKED_AT = 1_000

/**
 * Imports a file of any size in the background and waits for the end. One of more than 32 MiB is divided between two
 * links, and its parts are imported one after the other. Called again after a failure, it goes on where it was: parts
 * that are imported already, or are being imported, are not imported twice.
 */
export async function importFile(
  client: Client,
  file: Blob,
  options: ImportFileOptions = {},
): Promise<ImportedFile> {
  const { signal, onPart, onProgress } = options
  const parts = await partsOf(file, options)
  const known = await earlierImports(client, parts, options)
  const imports: Import[] = []
  for (const [at, part] of parts.entries()) {
    signal?.throwIfAborted()
    const tell = (step: ImportFileProgress['step'], done: number, total: number): void =>
      onProgress?.({
        part: at + 1,
        parts: parts.length,
        step,
        done,
        total,
        share: shareOf(parts, at, step, done / Math.max(1, total)),
      })
    const started = await start(client, part, known.get(part.mark), options, tell)
    const ended = await followImport(client, started, {
      signal,
      onProgress: ({ processed, importable }) => tell('import', processed, importable),
    })
    imports.push(ended)
    onPart?.(ended)
    if (ended.state !== 'done') break
  }
  return combined(imports, parts)
}

/** Reads a file and creates nothing; `importFile` then imports it. A file of several parts shows its first one. */
export async function previewFile(
  client: Client,
  file: Blob,
  options: ImportFileOptions = {},
): Promise<FilePreview> {
  const { signal, source, columns, on_taken, domain, onProgress } = options
  const parts = await partsOf(file, options)
  const known = await earlierImports(client, parts, options)
  const imported = parts.filter(({ mark }) => isImported(known.get(mark))).length
  const [first] = parts as [MarkedPart]
  const earlier = known.get(first.mark)
  // What its columns mean is decided when it is uploaded.
  if (earlier !== undefined && (columns == null || isImported(earlier)))
    return { import: earlier, parts: parts.length, imported }
  const upload = { file: uploadOf(first), source, columns, on_taken, domain, preview: true }
  const { import: read } = await client.importLinks(upload, {
    signal,
    onUploadProgress: ({ loaded, total }) =>
      onProgress?.({
        part: 1,
        parts: parts.length,
        step: 'upload',
        done: loaded,
        total,
        share: loaded / total,
      }),
  })
  return { import: read, parts: parts.length, imported }
}

/** A part with a mark by which it is found among the imports of the account; no mark if it is the whole file. */
interface MarkedPart extends FilePart {
  readonly mark: string
  readonly name: string
}

async function partsOf(file: Blob, { name, partSize }: ImportFileOptions): Promise<MarkedPart[]> {
  const own = name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file')
  const isLarge = partSize !== undefined || file.size > IMPORT_FILE_BYTES
  const divided = isLarge ? await divideFile(file, partSize) : undefined
  if (divided === undefined) return [{ blob: file, linesBefore: 0, mark: '', name: own }]
  const marked: MarkedPart[] = []
  for (const [at, part] of divided.entries()) {
    const mark = `(part ${at + 1} of ${divided.length}, ${await fingerprint(part.blob)})`
    marked.push({ ...part, mark, name: `${own.slice(0, 150)} ${mark}` })
  }
  return marked
}

const READ_BYTES = 1 << 20

/** FNV-1a: distinguishes parts of one account, also on pages without HTTPS, where SHA-256 is not available. */
async function fingerprint(blob: Blob): Promise<string> {
  let hash = 0x811c9dc5
  for (let from = 0; from < blob.size; from += READ_BYTES)
    for (const byte of new Uint8Array(await blob.slice(from, from + READ_BYTES).arrayBuffer()))
      hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** The imports of parts that need not be uploaded again, by the marks of the parts. */
async function earlierImports(
  client: Client,
  parts: readonly MarkedPart[],
  { again, signal }: ImportFileOptions,
): Promise<ReadonlyMap<string, Import>> {
  const found = new Map<string, Import>()
  if (again === true || parts.length === 1) return found
  const { data } = await client.imports({ limit: LOOKED_AT }, { signal })
  for (const { mark } of parts) {
    // The latest comes first: it shows whether an earlier one was undone.
    const latest = data.find(({ filename }) => filename.endsWith(mark))
    if (latest !== undefined && (latest.runnable_until !== null || isImported(latest)))
      found.set(mark, latest)
  }
  return found
}

const isImported = (found: Import | undefined): boolean =>
  found?.state === 'done' || found?.state === 'running'

async function start(
  client: Client,
  part: MarkedPart,
  earlier: Import | undefined,
  { source, columns, on_taken, domain, signal }: ImportFileOptions,
  tell: (step: ImportFileProgress['step'], done: number, total: number) => void,
): Promise<Import> {
  if (earlier !== undefined && !isImported(earlier))
    return (await client.runImport({ uuid: earlier.uuid, on_taken, domain }, { signal })).data
  if (earlier !== undefined) return earlier
  const upload = { file: uploadOf(part), source, columns, on_taken, domain, background: true }
  const onUploadProgress = ({ loaded, total }: { loaded: number; total: number }): void =>
    tell('upload', loaded, total)
  return (await client.importLinks(upload, { signal, onUploadProgress })).import
}

const uploadOf = ({ blob, name }: MarkedPart) => namedFile(blob, { name, type: 'text/csv' })

function shareOf(
  parts: readonly FilePart[],
  at: number,
  step: ImportFileProgress['step'],
  share: number,
): number {
  const bytes = (some: readonly FilePart[]): number => some.reduce((sum, { blob }) => sum + blob.size, 0)
  const ofPart = step === 'upload' ? share * UPLOAD_SHARE : UPLOAD_SHARE + share * (1 - UPLOAD_SHARE)
  const size = parts[at]?.blob.size ?? 0
  return (bytes(parts.slice(0, at)) + size * ofPart) / Math.max(1, bytes(parts))
}

function combined(imports: readonly Import[], parts: readonly FilePart[]): ImportedFile {
  const sum = (count: (one: Import) => number): number => imports.reduce((all, one) => all + count(one), 0)
  const last = imports.at(-1)
  const problems = imports.flatMap((one, at) =>
    one.problems.map((problem) => ({ ...problem, line: problem.line + (parts[at]?.linesBefore ?? 0) })),
  )
  return {
    state: last?.state ?? 'done',
    error: last?.error ?? null,
    parts: parts.length,
    imports,
    total: sum(({ total }) => total),
    importable: sum(({ importable }) => importable),
    created: sum(({ created }) => created),
    skipped: sum(({ skipped }) => skipped),
    renamed: sum(({ renamed }) => renamed),
    problems: problems.slice(0, MOST_PROBLEMS),
    problem_count: sum(({ problem_count }) => problem_count),
  }
}
