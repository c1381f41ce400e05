import { type QrPicture, toSvg } from '@waymark/codes'
import type { QrCode } from '@waymark/sdk'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare } from '../../ui/plate.tsx'
import { UploadBar } from '../../ui/upload-progress.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import { isEmpty, isProvisional } from './encoded-text.ts'
import { PrintAdvice } from './print-advice.tsx'
import { isAsSaved, type QrDrawing, type QrValues } from './qr-form.ts'
import { PictureTable, ScanVerdict } from './studio.tsx'
import { SvgPicture } from './svg-picture.tsx'

const LEAST_MODULE_MM = 0.4

interface QrPreviewProps {
  readonly drawing: QrDrawing
  readonly values: QrValues
  readonly saved: QrCode | null
  readonly text: string
}

const leastPrintMm = ({ qr }: QrPicture): number => (qr.modules + 2 * qr.quietModules) * LEAST_MODULE_MM

export function QrPicturePreview({ drawing, values, saved, text }: QrPreviewProps) {
  if ('fault' in drawing) return <Notice kind="warn">{drawing.fault}</Notice>
  const caption = isEmpty(values, saved)
    ? 'Enter a URL'
    : isProvisional(values, saved)
      ? 'The short link is created when you save'
      : `Opens ${bare(text)}`
  return (
    <PictureTable caption={caption} title={text}>
      <SvgPicture
        svg={toSvg(drawing.picture)}
        label={`QR code for ${text}`}
        className={`block h-auto max-w-full rounded-md lg:w-72 ${isEmpty(values, saved) ? 'opacity-30' : ''}`}
      />
    </PictureTable>
  )
}

export function QrDetails({
  drawing,
  values,
  saved,
  uploadShare,
}: QrPreviewProps & { readonly uploadShare: number | null }) {
  if ('fault' in drawing) return null
  const { picture, warnings } = drawing
  // The server decoded the saved image; its warnings hold until something changes.
  const found = isAsSaved(values, saved) ? (saved?.warnings ?? []) : []
  return (
    <>
      <UploadBar share={uploadShare} />
      <div className="flex flex-wrap justify-center gap-2">
        <DownloadButtons
          picture={picture}
          name={values.description || `qr-${values.url}`}
          isDisabled={isEmpty(values, saved) || isProvisional(values, saved)}
        />
      </div>
      <ScanVerdict warnings={[...new Set([...warnings, ...found])]} />
      <PrintAdvice leastMm={leastPrintMm(picture)} />
      {saved?.dynamic === true && (
        <p className="border-t border-line pt-3 text-sm text-muted">{counted(saved.scans, 'scan')}</p>
      )}
    </>
  )
}
