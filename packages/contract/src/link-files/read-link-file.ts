import { readBookmarks } from './bookmarks-file.ts'
import { readJson } from './json-file.ts'
import type { OwnColumns, RawFile } from './raw-row.ts'
import { readTable } from './table-file.ts'
import { isYourlsDump, readYourlsDump } from './yourls-dump.ts'

/** Takes a file of links apart, whatever service wrote it. `named` is the source that the caller states. */
export function readLinkFile(text: string, own: OwnColumns, named?: string): RawFile {
  const start = text.slice(0, 2_000).trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return readJson(text, own, named)
  if (/^<!doctype|^<html|<a\s/i.test(start)) return readBookmarks(text)
  const isSql = /^(?:--|\/\*|insert\s|create\s|set\s|drop\s)/i.test(start)
  return isSql && isYourlsDump(text) ? readYourlsDump(text, own) : readTable(text, own, named)
}
