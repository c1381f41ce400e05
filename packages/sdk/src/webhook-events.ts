import type { Barcode, EventType, Link, Page, QrCode, Removed, UtmLink } from './operations.ts'

interface Resources {
  link: Link
  qrcode: QrCode
  barcode: Barcode
  page: Page
  utm: UtmLink
}

/** A click on a short link. Fields that are not known are empty. */
export interface ClickedLink {
  /** The `uuid` of the link. */
  link_uuid: string
  /** When it was clicked (ISO 8601, UTC). */
  clicked_at: string
  /** ISO 3166-1 alpha-2 code of the visitor's country. */
  country: string
  /** Host of the page the visitor came from. */
  referrer: string
  /** `mobile`, `tablet` or `desktop`. */
  device: string
  /** Name of the browser. */
  browser: string
  /** Name of the operating system. */
  os: string
}

/** The clicks since the last delivery of this event. */
export interface ClickedLinks {
  /** Number of clicks, without bots. */
  count: number
  /** The clicks; at most 1,000 of them. */
  clicks: ClickedLink[]
}

type EventData<T extends EventType> = T extends `${string}.removed`
  ? Removed
  : T extends 'link.clicked'
    ? ClickedLinks
    : T extends `${infer R extends keyof Resources}.${'created' | 'edited' | 'restored'}`
      ? Resources[R]
      : unknown

/** What a webhook delivers: one shape for each event. */
export type WebhookEvent =
  | {
      [T in EventType]: {
        /** The event. */
        type: T
        /** When it happened (ISO 8601, UTC). */
        timestamp: string
        /** The resource as the API returns it; of a removed one its `uuid` alone. */
        data: EventData<T>
      }
    }[EventType]
  | { type: 'webhook.test'; timestamp: string; data: { uuid: string } }
