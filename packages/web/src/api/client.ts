import { createClient, WaymarkError } from '@waymark/sdk'

/** Every word that the dashboard exchanges with the server goes through here. */
export const api = createClient({ baseUrl: location.origin, session: true })

export const isSignedOut = (error: unknown): boolean => error instanceof WaymarkError && error.status === 401

/** What to tell a person about a failure: the server's own sentence wherever it said one. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong'
