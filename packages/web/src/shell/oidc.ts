import { api } from '../api/client.ts'

const CHANNEL = 'waymark.oidc'
const NEXT = 'waymark.oidc-next'

/** What a visit at the provider is for; the server puts it in front of the state. */
export type OidcPurpose = 'sign-in' | 'link' | 'proof'

export const purposeOf = (query: string): OidcPurpose => {
  const kind = new URLSearchParams(query).get('state')?.split('.', 1)[0]
  return kind === 'link' || kind === 'proof' ? kind : 'sign-in'
}

/** Leaves for the provider; `next` is where to go after the return. */
export const signInWithProvider = async (next: string | undefined): Promise<void> => {
  const { data } = await api.beginOidc({})
  if (next === undefined) sessionStorage.removeItem(NEXT)
  else sessionStorage.setItem(NEXT, next)
  location.assign(data.url)
}

/** Where the user wanted to go before the visit at the provider. */
export const takeNext = (): string | undefined => {
  const next = sessionStorage.getItem(NEXT) ?? undefined
  sessionStorage.removeItem(NEXT)
  return next
}

/** Tells the window that opened this one, if one did. */
export const announceReturn = (): void => {
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage('returned')
  channel.close()
}

/**
 * Visits the provider in a window of its own, so that the work on this screen stays. Resolves when the user has come back
 * from there; never if they close that window.
 */
export const visitInWindow = async (
  begin: () => Promise<{ readonly data: { readonly url: string } }>,
): Promise<void> => {
  const opened = open('', 'waymark-oidc', 'popup,width=520,height=720')
  if (opened === null) throw new Error('Allow this site to open windows, then try again')
  const returned = new Promise<void>((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', () => {
      channel.close()
      resolve()
    })
  })
  try {
    opened.location.href = (await begin()).data.url
  } catch (error) {
    opened.close()
    throw error
  }
  await returned
  opened.close()
}

let pendingLink: string | null = null

/** The response of the provider that the Security screen is to link. */
export const setPendingLink = (query: string): void => {
  pendingLink = query
}

export const takePendingLink = (): string | null => {
  const query = pendingLink
  pendingLink = null
  return query
}
