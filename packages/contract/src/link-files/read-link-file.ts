import { readBookmarks } from './bookmarks-file.ts'
import { readJson } from './json-file.ts'
import { linkFileKind } from './link-file-kind.ts'
import type { OwnColumns, RawFile } from './raw-row.ts'
import { readTable } from './table-file.ts'
import { isYourlsDump, readYourlsDump } from './yourls-dump.ts'

/** Takes a file of links apart, whatever service wrote it. `named` is the source that the caller states. */
export function readLinkFile(text: string, own: OwnColumns, named?: string): RawFile {
  const kind = linkFileKind(text.slice(0, 2_000))
  if (kind === 'json') return readJson(text, own, named)
  if (kind === 'bookmarks') return readBookmarks(text)
  // A dump may begin with any statement.
  const mayBeDump = kind === 'sql' || named === 'yourls'
  return mayBeDump && isYourlsDump(text) ? readYourlsDump(text, own) : readTable(text, own, named)
}
