import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that does not tell where they differ. */
export const isSameText = (given: string | undefined, expected: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether an `authorization` header carries the token. */
export const isBearer = (header: string | undefined, token: string): boolean =>
  isSameText(header, `Bearer ${token}`)
