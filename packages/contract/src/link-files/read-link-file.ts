import { readBookmarks } from './bookmarks-file.ts'
import { readJson } from './json-file.ts'
import { linkFileKind } from './link-file-kind.ts'
import { ImportFileFault, type OwnColumns, type RawFile, type ReadingOptions } from './raw-row.ts'
import { checkTable, readTable } from './table-file.ts'
import { isYourlsDump, readYourlsDump } from './yourls-dump.ts'

const HEAD_BYTES = 4_000
const CHECKED_BYTES = 1 << 20

/** As many bytes as the longest first row of a table can have. */
export const START_BYTES = 1 << 18

/** Rejects a file by its first row, so that 32 MiB are not read for it. `start` has its first bytes. */
export function checkStart(start: Uint8Array, { source }: ReadingOptions = {}): void {
  const text = new TextDecoder().decode(start)
  if (source !== 'yourls' && linkFileKind(text) === 'table') checkTable(text)
}

/** Parses a file of links of any supported service. */
export function readLinkFile(bytes: Uint8Array, own: OwnColumns, options: ReadingOptions = {}): RawFile {
  if (isUtf16(bytes))
    throw new ImportFileFault('Must be in UTF-8: this file is in UTF-16. Save it as CSV UTF-8')
  if (bytes.includes(0)) throw new ImportFileFault('Must be a CSV file: this file contains NUL bytes')
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  const kind = linkFileKind(decoder.decode(bytes.subarray(0, HEAD_BYTES)))
  if (kind === 'json') return readJson(bytes, decoder, own, options)
  const text = decoder.decode(bytes)
  if (kind === 'bookmarks') return readBookmarks(text)
  // A dump can begin with any statement.
  const mayBeDump = kind === 'sql' || options.source === 'yourls'
  return mayBeDump && isYourlsDump(text) ? readYourlsDump(text, own) : readTable(text, own, options)
}

/** Detected by its byte order mark: Excel saves “Unicode Text” like this. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** In many countries Excel saves CSV files in Windows-1252. Checked in pieces, to save memory. */
function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let from = 0; from < bytes.length; from += CHECKED_BYTES)
      decoder.decode(bytes.subarray(from, from + CHECKED_BYTES), { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}
