import type { Input } from '@waymark/sdk'
import { orNull } from '../../../forms/or-null.ts'
import { isoOf } from '../../../ui/local-times.ts'
import { DAY_MS } from '../../../ui/times.ts'

/** Common devices, in the form of the simulation. */
export const devices = {
  '': { label: 'Any device', device: null, os: null, browser: null },
  iphone: { label: 'iPhone', device: 'mobile', os: 'iOS', browser: 'Safari' },
  android: { label: 'Android phone', device: 'mobile', os: 'Android', browser: 'Chrome' },
  ipad: { label: 'iPad', device: 'tablet', os: 'iOS', browser: 'Safari' },
  windows: { label: 'Windows computer', device: 'desktop', os: 'Windows', browser: 'Microsoft Edge' },
  mac: { label: 'Mac', device: 'desktop', os: 'macOS', browser: 'Safari' },
  linux: { label: 'Linux computer', device: 'desktop', os: 'Linux', browser: 'Firefox' },
} as const

export type DeviceName = keyof typeof devices

/** When the visit takes place: now, a day from now, or at a time. */
export const moments = { now: 'Now', tomorrow: 'Tomorrow', at: 'At a time' } as const

export interface VisitorValues {
  readonly country: string
  readonly language: string
  readonly device: DeviceName
  readonly moment: keyof typeof moments
  /** The value of the date and time fields. */
  readonly at: string
  readonly referrer: string
  readonly query: string
  readonly path: string
  readonly knowsPassword: boolean
}

export const anyone: VisitorValues = {
  country: '',
  language: '',
  device: '',
  moment: 'now',
  at: '',
  referrer: '',
  query: '',
  path: '',
  knowsPassword: false,
}

const timeOf = ({ moment, at }: VisitorValues, nowMs: number): string | null => {
  if (moment === 'now') return null
  return moment === 'at' ? isoOf(at, 'start') : new Date(nowMs + DAY_MS).toISOString()
}

/** The visitor in the form of the simulation. */
export const sentVisitor = (uuid: string, values: VisitorValues, nowMs: number): Input<'simulateLink'> => {
  const { device, os, browser } = devices[values.device]
  return {
    uuid,
    at: timeOf(values, nowMs),
    country: orNull(values.country),
    language: orNull(values.language),
    device,
    os,
    browser,
    referrer: orNull(values.referrer),
    query: orNull(values.query.replace(/^\?/, '')),
    path: orNull(values.path),
    password: values.knowsPassword,
  }
}
