import type { ReactNode } from 'react'

const READING_DISTANCES: readonly { place: string; metres: number; widestCm?: number }[] = [
  { place: 'Business card, packaging', metres: 0.2, widestCm: 8 },
  { place: 'Flyer, table, shop window', metres: 0.5 },
  { place: 'Poster', metres: 2 },
  { place: 'Banner', metres: 10 },
]

/** A code should be about a tenth as wide as the reading distance. */
const SHARE_OF_DISTANCE = 0.1

const centimetres = (value: number): string =>
  value >= 100 ? `${(value / 100).toFixed(1)} m` : `${value % 1 === 0 ? value : value.toFixed(1)} cm`

/** The minimum print size by reading distance. `instead` is shown where a code would not fit. */
export function PrintAdvice({
  leastMm,
  instead,
}: {
  readonly leastMm: number
  readonly instead?: ReactNode
}) {
  const leastCm = Math.ceil(leastMm / 5) / 2
  return (
    <table className="w-full text-left text-sm">
      <caption className="eyebrow pb-1.5 text-left">Minimum print size</caption>
      <tbody>
        {READING_DISTANCES.map(({ place, metres, widestCm = Infinity }) => (
          <tr key={place} className="border-t border-line">
            <th scope="row" className="py-1.5 font-normal text-muted">
              {place}
            </th>
            <td className="py-1.5 text-right font-semibold tabular">
              {leastCm > widestCm && instead !== undefined
                ? instead
                : centimetres(Math.max(leastCm, metres * 100 * SHARE_OF_DISTANCE))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
