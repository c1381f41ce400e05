/** The entity tags of an `If-Match` header, without quotes; undefined when any version will do. */
export const readIfMatch = (header: string | undefined): readonly string[] | undefined => {
  if (header === undefined) return undefined
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') ? undefined : tags.map((tag) => tag.replace(/^"(.*)"$/, '$1'))
}
