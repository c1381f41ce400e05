/** A few round numbers from 0 to at least `max`, as the scale of a count. */
export function countTicks(max: number, wanted = 4): number[] {
  const rough = Math.max(1, max) / wanted
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough,
  )
  const ticks = [0]
  while ((ticks.at(-1) ?? 0) < max) ticks.push((ticks.at(-1) ?? 0) + step)
  if (ticks.length === 1) ticks.push(step)
  return ticks
}

/** At most `wanted` of these positions, evenly spaced and counted from the last, which is always labelled. */
export function labelPositions(count: number, wanted: number): number[] {
  const every = Math.max(1, Math.ceil(count / wanted))
  const positions: number[] = []
  for (let at = count - 1; at >= 0; at -= every) positions.unshift(at)
  return positions
}
