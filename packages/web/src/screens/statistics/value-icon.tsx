import {
  AppWindow,
  CornerDownRight,
  Cpu,
  Globe,
  Languages,
  Link2,
  type LucideIcon,
  Megaphone,
  Monitor,
  MousePointerClick,
  QrCode,
  Route,
  Smartphone,
  Split,
  Tablet,
} from 'lucide-react'
import { createElement } from 'react'
import type { Dimension } from '../../api/analytics.ts'
import { flagOf, hasFlags } from './flags.ts'
import { UNKNOWN } from './value-names.ts'

const devices: Readonly<Record<string, LucideIcon>> = {
  mobile: Smartphone,
  tablet: Tablet,
  desktop: Monitor,
}

const icons: Partial<Record<Dimension, LucideIcon>> = {
  referrer: Globe,
  browser: AppWindow,
  system: Cpu,
  language: Languages,
  variant: Split,
  rule: Route,
  button: MousePointerClick,
  icon: MousePointerClick,
  utm_source: Megaphone,
  utm_medium: Megaphone,
  utm_campaign: Megaphone,
}

const iconOf = (by: Dimension, value: string): LucideIcon => {
  if (by === 'device') return devices[value] ?? Monitor
  if (by === 'source') return value === 'qr' ? QrCode : Link2
  if (by === 'referrer' && (value === '' || value === UNKNOWN)) return CornerDownRight
  return icons[by] ?? Globe
}

/** The flag of a country, or an icon for the kind of value. */
export function ValueIcon({ by, value }: { readonly by: Dimension; readonly value: string }) {
  if (by === 'country' && /^[a-z]{2}$/i.test(value))
    return hasFlags() ? (
      <span aria-hidden className="w-5 shrink-0 text-center text-base leading-none">
        {flagOf(value)}
      </span>
    ) : (
      <span
        aria-hidden
        className="w-6 shrink-0 rounded-[3px] border border-line-strong pt-px text-center font-mono text-[0.625rem] leading-4 font-bold text-muted"
      >
        {value.toUpperCase()}
      </span>
    )
  return createElement(iconOf(by, value), {
    'aria-hidden': true,
    size: 15,
    className: 'w-5 shrink-0 text-faint',
  })
}
