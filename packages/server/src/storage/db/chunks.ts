/** Cuts a list into lists of at most so many: an engine takes only so many values in one statement. */
export function* chunksOf<T>(items: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
