import type { Input, Link } from '@waymark/sdk'
import { namedBy } from '../../../forms/field-names.ts'
import { InvalidInput } from '../../../forms/invalid-input.ts'
import { withScheme } from '../../../ui/addresses.ts'

export type Variant = Link['variants'][number]

export const MOST_VARIANTS = 5

/** The sum of all weights when they are set as percentages with one decimal. */
const WHOLE = 1000

export interface VariantValue {
  readonly key: string
  readonly id: number
  readonly name: string
  readonly url: string
  /** As typed. */
  readonly percent: string
}

export interface VariantsValues {
  variants: readonly VariantValue[]
}

export const nameOfVariantField = namedBy({
  variants: 'Variants',
  url: 'Destination',
  name: 'Name',
  percent: 'Share',
})

/** Shares in thousandths with the sum of the whole: rounding errors are given to the largest remainders. */
const thousandthsOf = (weights: readonly number[]): number[] => {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const exact = weights.map((weight) => (weight / sum) * WHOLE)
  const shares = exact.map(Math.floor)
  const missing = WHOLE - shares.reduce((total, share) => total + share, 0)
  const byLoss = exact.map((value, at) => [value - Math.floor(value), at] as const).sort(([a], [b]) => b - a)
  for (const [, at] of byLoss.slice(0, missing)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

/** Weights as percentages, for display. */
export const percentsOf = (weights: readonly number[]): string[] =>
  thousandthsOf(weights).map((share) => String(share / 10))

const letter = (at: number): string => String.fromCharCode(65 + at)

export const variantValuesOf = ({ variants }: Link): VariantsValues => {
  const percents = percentsOf(variants.map(({ weight }) => weight))
  return {
    variants: variants.map(({ name, url }, at) => ({
      key: `id-${at}`,
      id: at,
      name,
      url,
      percent: percents[at] ?? '',
    })),
  }
}

/** The same variants with equal shares. */
export const splitEvenly = (variants: readonly VariantValue[]): VariantValue[] => {
  const percents = percentsOf(variants.map(() => 1))
  return variants.map((variant, at) => ({ ...variant, percent: percents[at] ?? '' }))
}

/** Adds a variant, with equal shares for all. The first test begins with the link's own destination. */
export const addVariant = (variants: readonly VariantValue[], destination: string): VariantValue[] => {
  const id = Math.max(-1, ...variants.map((variant) => variant.id)) + 1
  const next = [...variants, { key: `id-${id}`, id, name: letter(id), url: '', percent: '' }]
  if (variants.length > 0) return splitEvenly(next)
  const first = { key: 'id-0', id: 0, name: letter(0), url: destination, percent: '' }
  return splitEvenly([first, { key: 'id-1', id: 1, name: letter(1), url: '', percent: '' }])
}

/** The sum of the percentages; NaN if one is not a number. */
export const sumOf = (variants: readonly VariantValue[]): number =>
  Math.round(
    variants.reduce((sum, { percent }) => sum + Number(percent === '' ? Number.NaN : percent), 0) * 10,
  ) / 10

type SentVariants = NonNullable<Input<'editLinks'>['variants']>

/** The variants to send. Unchanged shares keep their exact weights. */
export const sentVariants = ({ variants }: VariantsValues, link: Link): SentVariants => {
  const before = percentsOf(link.variants.map(({ weight }) => weight))
  const isUntouched =
    before.length === variants.length &&
    variants.every(({ id, percent }, at) => id === at && before[at] === percent)
  if (!isUntouched && variants.length > 0 && sumOf(variants) !== 100)
    throw new InvalidInput({ variants: ['The shares must add up to 100 %'] })
  return variants.map(({ url, name, percent }, at) => ({
    url: withScheme(url),
    name: name.trim() === '' ? null : name.trim(),
    weight: isUntouched ? (link.variants[at]?.weight ?? 1) : Math.round(Number(percent) * 10),
  }))
}
