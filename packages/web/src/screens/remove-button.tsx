import type { OperationName } from '@waymark/sdk'
import { Trash2 } from 'lucide-react'
import { type Removal, removeToTrash } from '../api/removal.ts'
import { IconButton } from '../ui/button.tsx'

/** Moves the resource of a screen to the trash, and leaves the screen. */
export function RemoveButton({
  uuid,
  does,
  onRemoved,
  ...removal
}: Omit<Removal, 'uuids'> & {
  readonly uuid: string
  readonly does: OperationName
  readonly onRemoved: () => void
}) {
  const remove = async (): Promise<void> => {
    if (await removeToTrash({ ...removal, uuids: [uuid] })) onRemoved()
  }
  return <IconButton does={does} label="Remove" icon={Trash2} onClick={() => void remove()} />
}
