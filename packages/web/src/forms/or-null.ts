/** Empty text is sent as null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
