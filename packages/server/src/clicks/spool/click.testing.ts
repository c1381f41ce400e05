import type { Click } from './record.ts'

export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'

export function testClickOf(resourceUuid: string, fields: Partial<Click> = {}): Click {
  return {
    atMs: Date.UTC(2026, 10, 15, 12),
    kind: 'link',
    resourceUuid,
    detail: '',
    address: '81.2.69.142',
    userAgent: BROWSER,
    referrer: '',
    prefetch: false,
    ...fields,
  }
}
