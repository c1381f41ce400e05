import { type Client, createClient, type OperationName, WaymarkError } from '@waymark/sdk'
import { calls } from '@waymark/sdk/calls'
import { hasUnsavedWork } from '../forms/unsaved-work.ts'
import { chosenWorkspace } from './chosen-workspace.ts'
import { confirmItIsYou, signInAgain } from './sign-in-again.ts'

export const isSignedOut = (error: unknown): boolean => error instanceof WaymarkError && error.status === 401

/** Operations whose 401 does not mean that the session has ended. */
const OUTSIDE_SESSION: ReadonlySet<string> = new Set([
  'signIn',
  'signInWithOidc',
  'signInWithLink',
  'signInWithPasskey',
  'passkeySignInOptions',
  'verifySecondFactor',
  'addIdentity',
  'signOut',
  'profile',
])

/** Error codes that mean that the user's role or membership has changed. */
const LOST: ReadonlySet<string> = new Set(['workspace_unknown', 'role_missing'])

let onLost: () => void = () => undefined

/** Sets what happens when the user is no longer in the workspace, or has fewer rights in it. */
export const whenWorkspaceIsLost = (listener: () => void): void => {
  onLost = listener
}

type Method = (input?: object, options?: object) => Promise<unknown>

/**
 * A session can end while a form is being filled in. The call then waits until the user has signed in again in a dialog, and
 * is sent once more. The same applies to a call that needs a recent proof of identity.
 */
const keepingWork =
  (name: string, method: Method): Method =>
  async (...call) => {
    try {
      return await method(...call)
    } catch (error) {
      if (error instanceof WaymarkError && LOST.has(error.code)) onLost()
      if (error instanceof WaymarkError && error.code === 'reauthenticate') {
        if (!(await confirmItIsYou())) throw error
        return method(...call)
      }
      if (!isSignedOut(error) || OUTSIDE_SESSION.has(name) || !hasUnsavedWork()) throw error
      const isWrite = calls[name as OperationName].method !== 'GET'
      if (!(await signInAgain(isWrite))) throw error
      return method(...call)
    }
  }

const client = createClient({
  baseUrl: location.origin,
  session: true,
  onRequest: ({ headers }) => {
    const workspace = chosenWorkspace()
    if (workspace !== null) headers['x-workspace'] = workspace
  },
})

/** The client for every request of the dashboard. */
export const api = Object.fromEntries(
  Object.entries(client).map(([name, method]) => [
    name,
    name in calls ? keepingWork(name, method as Method) : method,
  ]),
) as Client

/** The message of an error: of its invalid fields if there are any, otherwise its own. */
export const sentenceOf = (error: unknown): string => {
  const fields = error instanceof WaymarkError ? Object.values(error.errors).flat() : []
  if (fields.length > 0) return [...new Set(fields)].join('. ')
  return error instanceof Error ? error.message : 'Something went wrong'
}
