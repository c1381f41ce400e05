/** Empty text means that nothing was said. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
