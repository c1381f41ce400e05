import type { LiveClick } from './live-click.ts'

/** A click as those who listen get it. */
export const liveClick = (resourceUuid: string, more: Partial<LiveClick> = {}): LiveClick => ({
  atMs: 0,
  kind: 'link',
  resourceUuid,
  detail: '',
  country: 'DE',
  referrer: '',
  device: 'mobile',
  browser: 'Safari',
  system: 'iOS',
  language: 'de',
  variant: '',
  rule: '',
  scanned: false,
  bot: false,
  domain: '',
  name: 'abc',
  ...more,
})
