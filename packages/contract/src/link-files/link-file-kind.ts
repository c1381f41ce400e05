/** What a file of links is, as far as its first characters tell. */
export type LinkFileKind = 'json' | 'bookmarks' | 'sql' | 'table'

/** Tells what a file is by its beginning; some 2,000 characters are enough. */
export function linkFileKind(head: string): LinkFileKind {
  const start = head.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (/^<!doctype|^<html|<a\s/i.test(start)) return 'bookmarks'
  return /^(?:--|\/\*|insert\s|create\s|set\s|drop\s)/i.test(start) ? 'sql' : 'table'
}
