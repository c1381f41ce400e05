import { useEffect, useState } from 'react'
import type { Barcode } from '@waymark/sdk'
import { type BarcodeDrawing, type BarcodeValues, drawValues } from './barcode-form.ts'

/**
 * The barcode of these values; null until it is drawn. Drawing is asynchronous because the encoder of two-dimensional codes is
 * downloaded with the first of them.
 */
export function useBarcodeDrawing(
  values: BarcodeValues,
  text: string,
  saved: Barcode | null,
): BarcodeDrawing | null {
  const [drawing, setDrawing] = useState<BarcodeDrawing | null>(null)
  useEffect(() => {
    let isCurrent = true
    void drawValues(values, text, saved).then((drawn) => isCurrent && setDrawing(drawn))
    return () => {
      isCurrent = false
    }
  }, [values, text, saved])
  return drawing
}
