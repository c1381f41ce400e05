import type { QrPicture } from '@waymark/codes'
import { useEffect, useState } from 'react'
import { pixelsOf } from './picture-files.ts'

/** The server's warning for a picture with no text or another text. */
const UNREADABLE = 'This picture could not be read back'

const readBack = async (picture: QrPicture): Promise<string | undefined> => {
  const { readQr } = await import('@waymark/codes/reader')
  return readQr(await pixelsOf(picture))
}

/** Decodes the picture on the screen. Null until then, then the problem, if there is one. */
export function useReadBack(picture: QrPicture | null, text: string): readonly string[] | null {
  const [seen, setSeen] = useState<{ picture: QrPicture; text: string | undefined } | null>(null)
  useEffect(() => {
    if (picture === null) return undefined
    let isCurrent = true
    const settle = (read: string | undefined): void => {
      if (isCurrent) setSeen({ picture, text: read })
    }
    readBack(picture).then(settle, () => settle(undefined))
    return () => {
      isCurrent = false
    }
  }, [picture])
  if (seen === null || seen.picture !== picture) return null
  return seen.text === text ? [] : [UNREADABLE]
}
