import { AppError } from '../../net/errors.ts'

/** Given ids are kept; other items get the smallest free numbers. */
export const withIds = <T extends { readonly id?: number | null | undefined }>(
  items: readonly T[],
  field: string,
): (Omit<T, 'id'> & { id: number })[] => {
  const taken = new Set<number>()
  const errors: Record<string, string[]> = {}
  for (const [at, { id }] of items.entries()) {
    if (id === null || id === undefined) continue
    if (taken.has(id)) errors[`${field}.${at}.id`] = ['Must not be used twice']
    taken.add(id)
  }
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors })
  let next = 1
  return items.map((item) => {
    if (item.id !== null && item.id !== undefined) return { ...item, id: item.id }
    while (taken.has(next)) next++
    return { ...item, id: next++ }
  })
}
