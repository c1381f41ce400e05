/** For addresses whose content never changes: they name a hash or a version of it. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'

/** Whether `If-None-Match` names what there is: one of several tags, a weak one, or anything at all. */
export const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
