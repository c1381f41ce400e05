import { api } from '../api/client.ts'

const CHANNEL = 'waymark.oidc'
const NEXT = 'waymark.oidc-next'

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

/** Notifies the window that opened this one, if there is one. */
export const announceReturn = (): void => {
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage('returned')
  channel.close()
}

/**
 * Opens the provider in a separate window, so that input on this screen stays. Resolves when the user has returned from
 * there; never if they close that window.
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

/** The provider's response that the Security screen has to link. */
export const setPendingLink = (query: string): void => {
  pendingLink = query
}

export const takePendingLink = (): string | null => {
  const query = pendingLink
  pendingLink = null
  return query
}
