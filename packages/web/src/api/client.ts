import { createClient, WaymarkError } from '@waymark/sdk'

/** The client for every request of the dashboard. */
export const api = createClient({ baseUrl: location.origin, session: true })

export const isSignedOut = (error: unknown): boolean => error instanceof WaymarkError && error.status === 401

/** The message to show for an error: the server's own where there is one. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong'
