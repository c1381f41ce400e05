import { admission } from '../../net/admission/lanes.ts'

/** The JSON of shorter lists takes at most a few milliseconds. */
const LONG_LIST = 100

/** Runs a read. Long lists pass the admission gate: a thousand links with many rules are 40 MB. */
export function readInTurn<Result>(
  query: { readonly limit?: unknown } | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  const isLong = typeof query?.limit === 'number' && query.limit > LONG_LIST
  return isLong ? admission.run('longLists', read) : read()
}
