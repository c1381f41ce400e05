import { profileQuery } from '../api/account.ts'
import { chosenWorkspace } from '../api/chosen-workspace.ts'
import { queryClient } from '../api/query-client.ts'
import { DAY_MS } from '../ui/times.ts'

const PREFIX = 'waymark.draft.'
const KEPT_MS = 7 * DAY_MS

/** Unsaved input, as stored in this browser. */
export interface Draft {
  readonly savedAt: number
  readonly values: Readonly<Record<string, unknown>>
}

/** Drafts belong to a user: other users of the same browser do not see them. */
const prefixOf = (): string => `${PREFIX}${queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''}.`

/** Drafts also belong to a workspace, and are not offered in another one. */
const nameOf = (key: string): string => `${prefixOf()}${chosenWorkspace() ?? ''}.${key}`

const parse = (text: string | null): Draft | null => {
  try {
    const draft = JSON.parse(text ?? 'null') as Draft | null
    return draft !== null && Date.now() - draft.savedAt < KEPT_MS ? draft : null
  } catch {
    return null
  }
}

export const readDraft = (key: string): Draft | null => {
  try {
    return parse(localStorage.getItem(nameOf(key)))
  } catch {
    return null
  }
}

/** Without storage, or if it is full, there is no draft. */
export const writeDraft = (key: string, values: Draft['values']): void => {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify({ savedAt: Date.now(), values }))
  } catch {
    removeDraft(key)
  }
}

export const removeDraft = (key: string): void => {
  try {
    localStorage.removeItem(nameOf(key))
  } catch {
    // Nothing was stored.
  }
}

/** Deletes drafts of this account (on sign-out), or only those that are too old. */
export const pruneDrafts = (which: 'all' | 'old'): void => {
  try {
    const prefix = which === 'all' ? prefixOf() : PREFIX
    for (const name of Object.keys(localStorage))
      if (name.startsWith(prefix) && (which === 'all' || parse(localStorage.getItem(name)) === null))
        localStorage.removeItem(name)
  } catch {
    // Nothing was stored.
  }
}
