import type { Barcode, EventType, Link, Page, QrCode, Removed, UtmLink } from './operations.ts'

interface Resources {
  link: Link
  qrcode: QrCode
  barcode: Barcode
  page: Page
  utm: UtmLink
}

type EventData<T extends EventType> = T extends `${string}.removed`
  ? Removed
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
        /** The resource as the API answers it; of a removed one its `uuid` alone. */
        data: EventData<T>
      }
    }[EventType]
  | { type: 'webhook.test'; timestamp: string; data: { uuid: string } }
