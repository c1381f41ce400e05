/** The kind of a link file, detected from its first characters. */
export type LinkFileKind = 'json' | 'bookmarks' | 'sql' | 'table'

/** Detects the kind of a file from its beginning; some 2,000 characters are enough. */
export function linkFileKind(head: string): LinkFileKind {
  const start = head.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (/^<!doctype|^<html|<a\s/i.test(start)) return 'bookmarks'
  return /^(?:--|\/\*|insert\s|create\s|set\s|drop\s)/i.test(start) ? 'sql' : 'table'
}
