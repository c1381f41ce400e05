import { Pencil, SwatchBook } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../../api/client.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { BrandKitDialog } from './brand-kit-dialog.tsx'
import { type BrandKit, pngOf } from './brand-kit.ts'

/** Applies the colours and logo of the account with one click; opens the brand kit if there is none yet. */
export function BrandKitButton({
  kit,
  onApply,
}: {
  /** Undefined: not loaded, or failed. */
  readonly kit: BrandKit | undefined
  readonly onApply: (kit: BrandKit, logo: File | null) => void
}) {
  const [isEditing, setIsEditing] = useState(false)
  const isEmpty =
    kit !== undefined &&
    [kit.color, kit.accent, kit.background, kit.font, kit.logo].every((value) => value === null) &&
    kit.styles.length === 0
  const apply = async (): Promise<void> => {
    if (kit === undefined) return
    try {
      onApply(kit, kit.logo === null ? null : await pngOf(kit.logo))
    } catch (error) {
      toast.failure(sentenceOf(error))
    }
  }
  return (
    <div className="flex items-center">
      {isEmpty ? (
        <Button does="editBrandKit" look="ghost" icon={SwatchBook} onClick={() => setIsEditing(true)}>
          Set up brand kit
        </Button>
      ) : (
        <>
          <Button look="ghost" icon={SwatchBook} disabled={kit === undefined} onClick={() => void apply()}>
            Apply brand kit
          </Button>
          <IconButton
            does="editBrandKit"
            label="Edit brand kit"
            icon={Pencil}
            onClick={() => setIsEditing(true)}
          />
        </>
      )}
      {kit !== undefined && isEditing && <BrandKitDialog kit={kit} onClose={() => setIsEditing(false)} />}
    </div>
  )
}
