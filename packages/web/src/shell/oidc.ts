import { api } from '../api/client.ts'

const CHANNEL = 'waymark.oidc'
const NEXT = 'waymark.oidc-next'
const WINDOW = 'waymark.oidc-window'

/** The purpose of a sign-in at the provider; the server prepends it to the state. */
export type OidcPurpose = 'sign-in' | 'link' | 'proof'

export const purposeOf = (query: string): OidcPurpose => {
  const kind = new URLSearchParams(query).get('state')?.split('.', 1)[0]
  return kind === 'link' || kind === 'proof' ? kind : 'sign-in'
}

/** Redirects to the provider; `next` is the target after the return. */
export const signInWithProvider = async (next: string | undefined): Promise<void> => {
  const { data } = await api.beginOidc({})
  if (next === undefined) sessionStorage.removeItem(NEXT)
  else sessionStorage.setItem(NEXT, next)
  location.assign(data.url)
}

/** The target that the user wanted before the redirect to the provider. */
export const takeNext = (): string | undefined => {
  const next = sessionStorage.getItem(NEXT) ?? undefined
  sessionStorage.removeItem(NEXT)
  return next
}

interface Return {
  readonly purpose: OidcPurpose
  /** Why it did not work; null if it did. */
  readonly failure: string | null
}

/** Notifies the window that opened this one, if there is one, that the user has returned. */
export const announceReturn = (purpose: OidcPurpose, failure: string | null = null): void => {
  const channel = new BroadcastChannel(CHANNEL)
  const message: Return = { purpose, failure }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage(message)
  channel.close()
}

/**
 * Opens the provider in a separate window, so that input on this screen stays. `onReturn` reports the outcome. Users who
 * close that window can open it again.
 */
export const openProvider = async (
  begin: () => Promise<{ readonly data: { readonly url: string } }>,
): Promise<void> => {
  // A new window gets a copy of this storage.
  sessionStorage.setItem(WINDOW, 'own')
  const opened = open('', 'waymark-oidc', 'popup,width=520,height=720')
  sessionStorage.removeItem(WINDOW)
  if (opened === null) throw new Error('Allow this site to open windows, then try again')
  try {
    opened.location.href = (await begin()).data.url
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Closes this window if `openProvider` opened it. Its opener cannot: the provider is of another origin. */
export const closeOwnWindow = (): void => {
  if (sessionStorage.getItem(WINDOW) !== null) close()
}

/** Calls the listener when a visit at the provider has ended. Returns what stops that. */
export const onReturn = (purpose: OidcPurpose, listener: (failure: string | null) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Return>) => {
    if (data.purpose === purpose) listener(data.failure)
  })
  return () => channel.close()
}

let pendingLink: string | null = null

/** The provider's response that the Security screen has to link. */
export const setPendingLink = (query: string): void => {
  pendingLink = query
}

export const takePendingLink = (): string | null => {
  const query = pendingLink
  pendingLink = null
  return query
}
