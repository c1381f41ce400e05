import { type Mark, networkMarks } from './network-marks.ts'

/** Two links of a chain, for unknown networks. */
const CHAIN =
  'M10.6 13.4a1 1 0 0 1-1.4 1.4 5 5 0 0 1 0-7.1l3-3a5 5 0 0 1 7.1 7.1l-1.6 1.6a1 1 0 0 1-1.4-1.4l1.6-1.6a3 3 0 0 0-4.3-4.3l-3 3a3 3 0 0 0 0 4.3Zm2.8-2.8a1 1 0 0 1 1.4-1.4 5 5 0 0 1 0 7.1l-3 3a5 5 0 0 1-7.1-7.1l1.6-1.6a1 1 0 0 1 1.4 1.4l-1.6 1.6a3 3 0 0 0 4.3 4.3l3-3a3 3 0 0 0 0-4.3Z'

/** The logo of a network by its name, in any case; a generic one for other names. */
export const markOf = (name: string): Mark => {
  const key = name.trim().toLowerCase()
  const known = Object.hasOwn(networkMarks, key) ? networkMarks[key] : undefined
  return known ?? { label: name.trim(), path: CHAIN }
}

/** The networks with their own logo. */
export const networks: readonly { readonly name: string; readonly label: string }[] = Object.entries(
  networkMarks,
).map(([name, { label }]) => ({ name, label }))
