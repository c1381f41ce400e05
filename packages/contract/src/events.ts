/** What a user can create, remove and restore. */
export const resourceTypes = ['link', 'qrcode', 'barcode', 'page', 'utm'] as const

export type ResourceType = (typeof resourceTypes)[number]

const changes = ['created', 'edited', 'removed', 'restored'] as const

/** What can happen to a resource, as webhooks name it. */
export type EventType = `${ResourceType}.${(typeof changes)[number]}`

/** Every event that a webhook can be told of. */
export const eventTypes: readonly EventType[] = resourceTypes.flatMap((resource) =>
  changes.map((change): EventType => `${resource}.${change}`),
)

/** The event that only a test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
