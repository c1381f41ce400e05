/** Resources that a user can create, remove and restore. */
export const resourceTypes = ['link', 'qrcode', 'barcode', 'page', 'utm'] as const

export type ResourceType = (typeof resourceTypes)[number]

/** Types of resources in the trash. There are no events about webhooks. */
export const trashTypes = [...resourceTypes, 'webhook'] as const

export type TrashType = (typeof trashTypes)[number]

const changes = ['created', 'edited', 'removed', 'restored'] as const

/** The event of clicks: many in one delivery, and only for webhooks that list it. */
export const CLICK_EVENT = 'link.clicked'

type ChangeEvent = `${ResourceType}.${(typeof changes)[number]}`

/** Event types in webhooks. */
export type EventType = ChangeEvent | typeof CLICK_EVENT

/** Every event that a webhook can subscribe to. */
export const eventTypes: readonly EventType[] = [
  ...resourceTypes.flatMap((resource) => changes.map((change): ChangeEvent => `${resource}.${change}`)),
  CLICK_EVENT,
]

/** The event that only a test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
