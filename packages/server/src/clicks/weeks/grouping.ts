/** Items by group, in the order they had. */
export interface Grouped {
  /** By group: where its items begin in `order`; one more for the end. */
  readonly starts: Uint32Array
  readonly order: Uint32Array
}

/** Counts the items of each group, then puts each item in its place: linear, however many there are. */
export function grouped(groupOf: Uint32Array, groups: number): Grouped {
  const starts = new Uint32Array(groups + 1)
  for (const group of groupOf) starts[group + 1]!++
  for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group]!
  const next = starts.slice()
  const order = new Uint32Array(groupOf.length)
  for (let item = 0; item < groupOf.length; item++) order[next[groupOf[item]!]!++] = item
  return { starts, order }
}
