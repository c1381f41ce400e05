import type { UploadProgress } from '@waymark/sdk'
import { useState } from 'react'

const WORTH_SHOWING_BYTES = 50_000

/** The progress of a large upload. */
export function useUploadProgress() {
  const [share, setShare] = useState<number | null>(null)
  return {
    share,
    options: {
      onUploadProgress: ({ loaded, total }: UploadProgress) =>
        setShare(total < WORTH_SHOWING_BYTES || loaded >= total ? null : loaded / total),
    },
  }
}

export function UploadBar({ share }: { readonly share: number | null }) {
  return share === null ? null : (
    <progress
      aria-label="Upload"
      value={share}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand"
    />
  )
}
