import { toSvg } from '@waymark/codes'
import type { QrCode } from '@waymark/sdk'
import { counted } from '../../ui/numbers.ts'
import { Notice } from '../../ui/notice.tsx'
import { bare } from '../../ui/plate.tsx'
import { UploadBar } from '../../ui/upload-progress.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import { PrintAdvice } from './print-advice.tsx'
import { isAsSaved, type QrDrawing, type QrValues } from './qr-form.ts'
import { PreviewCard, ScanVerdict } from './studio.tsx'
import { SvgPicture } from './svg-picture.tsx'

const LEAST_MODULE_MM = 0.4

interface QrPreviewProps {
  readonly drawing: QrDrawing
  readonly values: QrValues
  readonly saved: QrCode | null
  readonly text: string
  readonly uploadShare: number | null
}

export function QrPreview({ drawing, values, saved, text, uploadShare }: QrPreviewProps) {
  if ('fault' in drawing)
    return (
      <PreviewCard>
        <Notice kind="warn">{drawing.fault}</Notice>
      </PreviewCard>
    )
  const { picture, warnings } = drawing
  // A dynamic code has its short link only once it is saved; a picture without it would lead nowhere.
  const isProvisional = values.dynamic && saved?.dynamic !== true
  const isEmpty = values.url.trim() === '' && !isProvisional
  const leastMm = (picture.qr.modules + 2 * picture.qr.quietModules) * LEAST_MODULE_MM
  // The server decoded the saved picture: what it found counts as long as nothing has changed since.
  const found = isAsSaved(values, saved) ? (saved?.warnings ?? []) : []
  return (
    <PreviewCard>
      <div className="grid place-items-center rounded-md bg-sunken p-5">
        <SvgPicture
          svg={toSvg(picture)}
          label={`QR code of ${text}`}
          className={`block h-auto w-full max-w-72 rounded-md ${isEmpty ? 'opacity-30' : ''}`}
        />
      </div>
      <p className="truncate text-center text-sm text-muted" title={text}>
        {isEmpty
          ? 'Type an address'
          : isProvisional
            ? 'Gets its short link when it is created'
            : `Opens ${bare(text)}`}
      </p>
      <UploadBar share={uploadShare} />
      <div className="flex flex-wrap justify-center gap-2">
        <DownloadButtons
          picture={picture}
          name={values.description || `qr-${values.url}`}
          isDisabled={isEmpty || isProvisional}
        />
      </div>
      <ScanVerdict warnings={[...new Set([...warnings, ...found])]} />
      <PrintAdvice leastMm={leastMm} />
      {saved?.dynamic === true && (
        <p className="border-t border-line pt-3 text-sm text-muted">{counted(saved.scans, 'scan')} so far</p>
      )}
    </PreviewCard>
  )
}
