/** Whether a `Prefer` header (RFC 7240) asks for strict handling: unknown fields are then rejected. */
export const isStrict = (header: string | readonly string[] | undefined): boolean =>
  header !== undefined &&
  [header]
    .flat()
    .join(',')
    .split(',')
    .map((preference) => preference.split(';', 1)[0] ?? '')
    .some((preference) => /^handling\s*=\s*"?strict"?$/i.test(preference.trim()))
