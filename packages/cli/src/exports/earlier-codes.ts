import { readCsv, unguarded } from '@waymark/contract/csv'
import { readEarlierCode } from '@waymark/contract/link-files'
import type { Link } from '@waymark/sdk'

/** A link with its earlier short codes. */
export interface ExportedLink extends Link {
  readonly earlier_codes: readonly string[]
}

/** The earlier short codes by the uuid of the link; only the CSV export has them. */
export function earlierCodesIn(csv: string): Map<string, string[]> {
  const [head, ...rows] = readCsv(csv)
  const at = (name: string): number => head?.cells.indexOf(name) ?? -1
  const [uuid, codes] = [at('uuid'), at('earlier_codes')]
  return new Map(
    rows.flatMap(({ cells }) => {
      const cell = unguarded(cells[codes] ?? '')
      return cell === '' ? [] : [[cells[uuid] ?? '', cell.split(' ')] as const]
    }),
  )
}

/** The URLs of a link, including those with earlier short codes. */
export const addressesOf = ({ short_url, earlier_codes }: ExportedLink): URL[] => [
  new URL(short_url),
  ...earlier_codes.flatMap((written) => {
    const read = readEarlierCode(written)
    if (read === undefined) return []
    const url = new URL(`/${read.shortCode}`, short_url)
    if (read.host !== undefined) url.hostname = read.host
    return [url]
  }),
]
