/** Previews have temporary URLs, so only the file counts. Keys only identify rows of a list. */
const IGNORED = new Set(['logo', 'preview', 'key'])

/** The content of a form as a text that differs if anything was changed. */
export const snapshot = (values: object): string =>
  JSON.stringify(values, (key, value: unknown) => {
    if (IGNORED.has(key)) return undefined
    return value instanceof File ? `${value.name} ${value.size} ${value.lastModified}` : value
  })
