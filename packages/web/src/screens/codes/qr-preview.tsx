import { CONTENT_NAMES, type QrPicture, toSvg } from '@waymark/codes'
import type { QrCode } from '@waymark/sdk'
import { Notice } from '../../ui/notice.tsx'
import { bare } from '../../ui/plate.tsx'
import { UploadBar } from '../../ui/upload-progress.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import { isEmpty, isProvisional } from './encoded-text.ts'
import { PrintAdvice } from './print-advice.tsx'
import { useReadBack } from './read-back.ts'
import { isAsSaved, type QrDrawing, qrDestination, type QrValues } from './qr-form.ts'
import { PictureAndVerdict, PictureTable, Scans, ScanVerdict } from './studio.tsx'
import { SvgPicture } from './svg-picture.tsx'

const MIN_MODULE_MM = 0.4

interface QrPreviewProps {
  readonly drawing: QrDrawing | null
  readonly values: QrValues
  readonly saved: QrCode | null
  readonly text: string
}

const leastPrintMm = ({ qr }: QrPicture): number => (qr.modules + 2 * qr.quietModules) * MIN_MODULE_MM

/** The picture, whether it scans, and its downloads, which all stay visible. */
export function QrPicturePreview({ drawing, values, saved, text }: QrPreviewProps) {
  const drawn = drawing === null || 'fault' in drawing ? null : drawing
  const readBack = useReadBack(drawn?.picture ?? null, text)
  // The server has decoded the saved image; its warnings apply until something changes.
  const found = isAsSaved(values, saved) ? (saved?.warnings ?? []) : readBack
  if (drawing === null) return <PictureTable caption="Drawing…" title={text} />
  if ('fault' in drawing) return <Notice kind="warn">{drawing.fault}</Notice>
  const destination = qrDestination(values)
  const [isUnset, { purpose }] = [isEmpty(destination), values]
  const caption = isUnset
    ? purpose === 'url'
      ? 'Enter a URL'
      : 'Fill in the fields'
    : isProvisional(destination, saved)
      ? 'The short link is created when you save'
      : purpose === 'url'
        ? `Opens ${bare(text)}`
        : CONTENT_NAMES[purpose]
  return (
    <PictureAndVerdict
      picture={
        <PictureTable caption={caption} title={text}>
          <SvgPicture
            svg={toSvg(drawing.picture)}
            label={`QR code for ${text}`}
            className={`block h-auto max-w-full rounded-md lg:w-72 ${isUnset ? 'opacity-30' : ''}`}
          />
        </PictureTable>
      }
    >
      {!isUnset && <ScanVerdict warnings={found && [...new Set([...drawing.warnings, ...found])]} />}
      <DownloadButtons
        picture={drawing.picture}
        name={values.description || `qr-${purpose === 'url' ? values.url : purpose}`}
        isDisabled={isUnset || isProvisional(destination, saved)}
        printed={isAsSaved(values, saved) ? saved : null}
      />
    </PictureAndVerdict>
  )
}

export function QrDetails({
  drawing,
  values,
  saved,
  uploadShare,
}: Omit<QrPreviewProps, 'text'> & { readonly uploadShare: number | null }) {
  if (drawing === null || 'fault' in drawing) return null
  const { picture } = drawing
  const destination = qrDestination(values)
  return (
    <>
      <UploadBar share={uploadShare} />
      {!isEmpty(destination) && <PrintAdvice leastMm={leastPrintMm(picture)} />}
      <Scans code={saved} />
    </>
  )
}
