/** One field of a form: its bracket name and its text or file. */
export interface FormEntry {
  readonly name: string
  readonly value: string | Blob
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Blob) &&
  !(value instanceof Date)

const given = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

const isScalar = (value: unknown): boolean => !Array.isArray(value) && !isFields(value)

const textOf = (value: unknown): string | Blob => {
  if (value instanceof Blob) return value
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * A key that every object of a list has. It is sent first, and each repetition begins an item, so that `buttons[][label]`
 * needs no numbers.
 */
const leadingKey = (items: readonly unknown[]): string | undefined => {
  const objects = items.filter(isFields)
  const [first, ...others] = objects
  if (first === undefined) return undefined
  return given(first).find(
    ([key, value]) =>
      isScalar(value) && others.every((item) => item[key] !== undefined && isScalar(item[key])),
  )?.[0]
}

const listEntries = (name: string, items: readonly unknown[]): FormEntry[] => {
  // Forms cannot send an empty list: an empty text is null, which also clears the field.
  if (items.length === 0) return [{ name, value: '' }]
  if (items.every(isScalar)) return items.map((item) => ({ name: `${name}[]`, value: textOf(item) }))
  const lead = leadingKey(items)
  if (lead === undefined || items.some(Array.isArray))
    return items.flatMap((item, index) => entriesOf(`${name}[${index}]`, item))
  return items.flatMap((item) => {
    if (!isFields(item)) return [{ name: `${name}[]`, value: textOf(item) }]
    const { [lead]: first, ...rest } = item
    return objectEntries(`${name}[]`, { [lead]: first, ...rest })
  })
}

const objectEntries = (name: string, fields: Fields): FormEntry[] => {
  const entries = given(fields).flatMap(([key, value]) => entriesOf(`${name}[${key}]`, value))
  return entries.length === 0 ? [{ name, value: '' }] : entries
}

const entriesOf = (name: string, value: unknown): FormEntry[] => {
  if (Array.isArray(value)) return listEntries(name, value)
  if (isFields(value)) return objectEntries(name, value)
  return [{ name, value: textOf(value) }]
}

/** The fields of a body in a form: bracket names, null as an empty text, absent fields omitted. */
export const formEntries = (body: Fields): FormEntry[] =>
  given(body).flatMap(([key, value]) => entriesOf(key, value))

/** Whether a value contains a file at any depth; JSON cannot. */
export const holdsFile = (value: unknown): boolean => {
  if (value instanceof Blob) return true
  if (Array.isArray(value)) return value.some(holdsFile)
  return isFields(value) && Object.values(value).some(holdsFile)
}

/** A name as browsers write it between quotes, which is what is signed. */
export const quotedName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const disposition = ({ name, value }: FormEntry): string => {
  const field = `content-disposition: form-data; name="${quotedName(name)}"`
  if (typeof value === 'string') return `${field}\r\n\r\n`
  const filename = 'name' in value && typeof value.name === 'string' ? value.name : 'file'
  const type = value.type === '' ? 'application/octet-stream' : value.type
  return `${field}; filename="${quotedName(filename)}"\r\ncontent-type: ${type}\r\n\r\n`
}

/**
 * A multipart body. Not created with FormData, so that the bytes of every part are exactly those that were signed: FormData
 * converts line feeds to CRLF. Files are referred to, not copied.
 */
export const multipartBody = (entries: readonly FormEntry[], boundary: string): Blob => {
  const parts = entries.flatMap((entry) => [`--${boundary}\r\n`, disposition(entry), entry.value, '\r\n'])
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` })
}
