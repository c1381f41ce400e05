import { toSvg } from '@waymark/codes'
import type { Barcode } from '@waymark/sdk'
import { Notice } from '../../ui/notice.tsx'
import { bare } from '../../ui/plate.tsx'
import type { BarcodeDrawing, BarcodeValues } from './barcode-form.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { isEmpty, isProvisional } from './encoded-text.ts'
import { PrintAdvice } from './print-advice.tsx'
import { PictureAndVerdict, PictureTable, Scans, ScanVerdict } from './studio.tsx'
import { SvgPicture } from './svg-picture.tsx'

const MIN_BAR_MM = 0.25

interface BarcodePreviewProps {
  readonly drawing: BarcodeDrawing | null
  readonly values: BarcodeValues
  readonly saved: Barcode | null
  readonly text: string
}

export function BarcodePicturePreview({ drawing, values, saved, text }: BarcodePreviewProps) {
  if (drawing === null) return <PictureTable caption="Drawing…" title={text} />
  if ('fault' in drawing) return <Notice kind="warn">{drawing.fault}</Notice>
  const caption = isEmpty(values)
    ? values.content === 'url'
      ? 'Enter a URL'
      : 'Enter a text or number'
    : isProvisional(values, saved)
      ? 'The short link is created when you save'
      : `Encodes ${bare(text)}`
  return (
    <PictureAndVerdict
      picture={
        <PictureTable caption={caption} title={text}>
          <SvgPicture
            svg={toSvg(drawing.picture)}
            label={`Barcode for ${text}`}
            className={`block h-auto max-h-72 max-w-full rounded-sm ${isEmpty(values) ? 'opacity-30' : ''}`}
          />
        </PictureTable>
      }
    >
      {!isEmpty(values) && <ScanVerdict warnings={drawing.warnings} />}
      <DownloadButtons
        picture={drawing.picture}
        name={values.description || `barcode-${values.content === 'url' ? values.url : values.value}`}
        isDisabled={isEmpty(values) || isProvisional(values, saved)}
        printed={saved}
      />
    </PictureAndVerdict>
  )
}

export function BarcodeDetails({
  drawing,
  values,
  saved,
  onSymbology,
}: BarcodePreviewProps & { readonly onSymbology: (symbology: BarcodeValues['symbology']) => void }) {
  if (drawing === null || 'fault' in drawing) return null
  const { picture } = drawing
  return (
    <>
      {!isEmpty(values) && (
        <PrintAdvice
          leastMm={(picture.width / picture.barcode.modulePx) * MIN_BAR_MM}
          instead={
            <button
              type="button"
              className="font-semibold text-brand underline underline-offset-2"
              onClick={() => onSymbology('datamatrix')}
            >
              Too wide: use Data Matrix
            </button>
          }
        />
      )}
      <Scans code={saved} />
    </>
  )
}
