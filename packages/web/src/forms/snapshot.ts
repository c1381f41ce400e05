/** Pictures come and go as addresses of this tab; what counts is the file. Keys only name rows of a list. */
const IGNORED = new Set(['logo', 'preview', 'key'])

/** Everything that a form holds, as a text that differs when something was changed. */
export const snapshot = (values: object): string =>
  JSON.stringify(values, (key, value: unknown) => {
    if (IGNORED.has(key)) return undefined
    return value instanceof File ? `${value.name} ${value.size} ${value.lastModified}` : value
  })
