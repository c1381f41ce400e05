/** The value of a CSV cell that holds JSON; anything else stays text, so that the schema says what is wrong. */
export function readJsonCell(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown
  } catch {
    return cell
  }
}
