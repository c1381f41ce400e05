import {
  ChartColumn,
  House,
  LayoutTemplate,
  Link2,
  type LucideIcon,
  QrCode,
  Settings,
  Tags,
} from 'lucide-react'

/** An entry of the main navigation. */
export interface Destination {
  readonly to: '/' | '/links' | '/statistics' | '/codes' | '/pages' | '/utm' | '/settings'
  readonly label: string
  readonly icon: LucideIcon
}

export const destinations: readonly Destination[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/links', label: 'Links', icon: Link2 },
  { to: '/statistics', label: 'Statistics', icon: ChartColumn },
  { to: '/codes', label: 'Codes', icon: QrCode },
  { to: '/pages', label: 'Pages', icon: LayoutTemplate },
  { to: '/utm', label: 'Campaigns', icon: Tags },
  { to: '/settings', label: 'Settings', icon: Settings },
]
