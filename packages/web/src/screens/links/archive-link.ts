import type { Link } from '@waymark/sdk'
import { api, sentenceOf } from '../../api/client.ts'
import { listsChanged } from '../../api/trash.ts'
import { toast } from '../../shell/toasts.ts'

const UNDO_MS = 10_000

/** Hides a link from the lists, or shows it again. It redirects either way. */
export async function archiveLink({ uuid, link }: Link, archived: boolean): Promise<void> {
  const set = async (value: boolean): Promise<void> => {
    try {
      await api.editLinks({ uuid, link, archived: value })
    } finally {
      await listsChanged()
    }
  }
  try {
    await set(archived)
    toast.undoable(archived ? 'Link archived' : 'Link unarchived', UNDO_MS, () => {
      set(!archived).catch((error: unknown) => toast.failure(sentenceOf(error)))
    })
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}
