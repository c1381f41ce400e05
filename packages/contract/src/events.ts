const resources = ['link', 'qrcode', 'barcode', 'page', 'utm'] as const
const changes = ['created', 'edited', 'removed'] as const

/** What can happen to a resource, as webhooks name it. */
export type EventType = `${(typeof resources)[number]}.${(typeof changes)[number]}`

/** Every event that a webhook can be told of. */
export const eventTypes: readonly EventType[] = resources.flatMap((resource) =>
  changes.map((change): EventType => `${resource}.${change}`),
)

/** The event that only a test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
