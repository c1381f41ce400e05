import { drawQr } from '@waymark/codes'
import { useEffect, useMemo, useState } from 'react'
import { type DrawQr, drawValues, type QrDrawing, type QrValues } from './qr-form.ts'

/**
 * The QR code of these values; null while the font of its frame is loading. The font is larger than all other drawing code, so
 * only codes with a frame load it.
 */
export function useQrDrawing(values: QrValues, text: string): QrDrawing | null {
  const [drawFramed, setDrawFramed] = useState<DrawQr | null>(null)
  const isFramed = values.frame.trim() !== ''
  useEffect(() => {
    if (isFramed)
      void import('@waymark/codes/captions').then(({ drawFramedQr }) => setDrawFramed(() => drawFramedQr))
  }, [isFramed])
  return useMemo(() => {
    const draw = isFramed ? drawFramed : drawQr
    return draw === null ? null : drawValues(values, text, draw)
  }, [values, text, isFramed, drawFramed])
}
