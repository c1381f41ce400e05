import type { Picture } from '@waymark/codes'
import { Download, Ruler } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../../api/client.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { PrintDialog } from './print-dialog.tsx'
import { pdfFile, pngFile, svgFile } from './picture-files.ts'
import { saveFile } from './save-file.ts'

const scales = [1, 2, 4, 8]

/** A file name of letters, digits and hyphens. */
const fileName = (text: string): string =>
  text
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'code'

export function DownloadButtons({
  picture,
  name,
  isDisabled = false,
  printed = null,
}: {
  readonly picture: Picture
  readonly name: string
  readonly isDisabled?: boolean
  /** The saved code, if it looks like the preview. */
  readonly printed?: { readonly uuid: string } | null
}) {
  const [isPrinting, setIsPrinting] = useState(false)
  const save = async (extension: string, make: () => Blob | Promise<Blob>): Promise<void> => {
    try {
      saveFile(`${fileName(name)}.${extension}`, await make())
    } catch (error) {
      toast.failure(sentenceOf(error))
    }
  }
  return (
    <div className="flex flex-wrap gap-2 lg:justify-center">
      <Button icon={Download} disabled={isDisabled} onClick={() => void save('svg', () => svgFile(picture))}>
        SVG
      </Button>
      {isDisabled ? (
        <Button icon={Download} disabled>
          PNG
        </Button>
      ) : (
        <Menu
          label="Download PNG"
          hasOwnText
          align="start"
          triggerClassName="button button-plain"
          trigger={
            <>
              <Download aria-hidden size={16} /> <span className="sr-only">Download </span>PNG
            </>
          }
        >
          {scales.map((scale) => (
            <MenuItem key={scale} onSelect={() => void save('png', () => pngFile(picture, scale))}>
              {`${Math.round(picture.width * scale)} × ${Math.round(picture.height * scale)} px`}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Button icon={Download} disabled={isDisabled} onClick={() => void save('pdf', () => pdfFile(picture))}>
        PDF
      </Button>
      {printed !== null && (
        <Button icon={Ruler} disabled={isDisabled} onClick={() => setIsPrinting(true)}>
          Print size
        </Button>
      )}
      {printed !== null && isPrinting && (
        <PrintDialog uuid={printed.uuid} name={fileName(name)} onClose={() => setIsPrinting(false)} />
      )}
    </div>
  )
}
