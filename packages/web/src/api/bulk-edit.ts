import type { Input, Item } from '@waymark/sdk'
import { toast } from '../shell/toasts.ts'
import { counted } from '../ui/numbers.ts'
import { api, sentenceOf } from './client.ts'
import type { LinkFilter } from './links.ts'
import { listsChanged } from './trash.ts'

export type BulkChange = Input<'bulkEditLinks'>['change']
type BulkEdit = Item<'bulkEdits'>

/** The links: a list, or all that match a filter. */
export type BulkTarget = { readonly uuids: readonly string[] } | { readonly filter: LinkFilter }

const UNDO_MS = 15_000
const POLL_MS = 500
const MAX_AT_ONCE = 1000

const isOpen = ({ state }: BulkEdit): boolean => state === 'running' || state === 'undoing'

/** Follows a bulk edit to its end. It also continues without this tab. */
async function ended(begun: BulkEdit): Promise<BulkEdit> {
  let edit = begun
  while (isOpen(edit)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const [now] = (await api.bulkEdits({ uuid: edit.uuid })).data
    if (now === undefined) return { ...edit, state: 'done' }
    edit = now
  }
  return edit
}

async function undo({ uuid }: BulkEdit): Promise<void> {
  try {
    const edit = await ended((await api.undoBulkEdit({ uuid })).data)
    if (edit.state === 'failed') toast.failure(`Not undone: ${edit.error ?? 'try again'}`)
  } catch (error) {
    toast.failure(`Not undone: ${sentenceOf(error)}`)
  }
  await listsChanged()
}

/** Changes many links and offers to undo it. Returns whether they were changed. */
export async function bulkEdit(
  target: BulkTarget,
  change: BulkChange,
  /** The change in the past tense: `archived`. */
  done: string,
): Promise<boolean> {
  try {
    const sent =
      'uuids' in target ? { uuids: target.uuids.slice(0, MAX_AT_ONCE) } : { filter: { ...target.filter } }
    const begun = (await api.bulkEditLinks({ ...sent, change })).data
    const edit = await ended(begun)
    if (edit.state === 'failed') throw new Error(edit.error ?? 'The change failed')
    const skipped = edit.skipped === 0 ? '' : `, ${counted(edit.skipped, 'link')} left as before`
    toast.undoable(`${counted(edit.changed, 'link')} ${done}${skipped}`, UNDO_MS, () => void undo(edit))
    return true
  } catch (error) {
    toast.failure(`Not ${done}: ${sentenceOf(error)}`)
    return false
  } finally {
    await listsChanged()
  }
}
