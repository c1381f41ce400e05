import { type FilterName, filterNames, type Filters } from '../../api/analytics-filters.ts'
import type { Dimension } from '../../api/analytics.ts'

/** A card with breakdowns, one of which is shown at a time. */
export interface BreakdownCard {
  readonly title: string
  readonly tabs: readonly { readonly by: Dimension; readonly label: string }[]
}

const places: BreakdownCard = {
  title: 'Countries',
  tabs: [
    { by: 'country', label: 'Country' },
    { by: 'language', label: 'Language' },
  ],
}
const origins: BreakdownCard = {
  title: 'Referrers',
  tabs: [
    { by: 'referrer', label: 'Site' },
    { by: 'utm_source', label: 'Source' },
    { by: 'utm_medium', label: 'Medium' },
    { by: 'utm_campaign', label: 'Campaign' },
  ],
}
const devices: BreakdownCard = {
  title: 'Devices',
  tabs: [
    { by: 'device', label: 'Device' },
    { by: 'browser', label: 'Browser' },
    { by: 'system', label: 'System' },
  ],
}
const destinations: BreakdownCard = {
  title: 'Scans and variants',
  tabs: [
    { by: 'source', label: 'Opened by' },
    { by: 'variant', label: 'Variant' },
    { by: 'rule', label: 'Rule' },
  ],
}
const buttons: BreakdownCard = { title: 'Buttons', tabs: [{ by: 'button', label: 'Button' }] }
const icons: BreakdownCard = { title: 'Social icons', tabs: [{ by: 'icon', label: 'Icon' }] }

/** Pages also count clicks on each button and icon, even without views. */
export const cardsFor = (isPage: boolean, isEmpty: boolean): readonly BreakdownCard[] => {
  const ofVisits = isPage ? [places, origins, devices] : [places, origins, devices, destinations]
  return [...(isPage ? [buttons, icons] : []), ...(isEmpty ? [] : ofVisits)]
}

/** The dimensions that are shown, by the title of their card, where it is not the first of the card. */
export type Chosen = Readonly<Record<string, Dimension>>

export const chosenOf = ({ title, tabs }: BreakdownCard, chosen: Chosen): Dimension =>
  chosen[title] ?? tabs[0]?.by ?? 'country'

export const filterOf = (by: Dimension): FilterName | undefined => filterNames.find((name) => name === by)

/** The values that clicks are filtered by in this dimension itself. */
export const selectedOf = (by: Dimension, filters: Filters): readonly string[] => {
  const filter = filterOf(by)
  return (filter && filters[filter]) ?? []
}
