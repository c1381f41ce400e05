import { Trash2 } from 'lucide-react'
import { type Removal, removeLater } from '../api/delayed-removal.ts'
import { IconButton } from '../ui/button.tsx'

/** Removes what a screen is about, after a while in which it can be taken back, and leaves the screen. */
export function RemoveButton({
  uuid,
  onRemoved,
  ...removal
}: Omit<Removal, 'uuids'> & { readonly uuid: string; readonly onRemoved: () => void }) {
  return (
    <IconButton
      label="Remove"
      icon={Trash2}
      onClick={() => {
        removeLater({ ...removal, uuids: [uuid] })
        onRemoved()
      }}
    />
  )
}
