import { drawQr, toSvg } from '@waymark/codes'
import type { Link } from '@waymark/sdk'
import { Palette } from 'lucide-react'
import { useMemo } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { bare } from '../../ui/plate.tsx'
import { DownloadButtons } from '../codes/download-buttons.tsx'
import { SvgPicture } from '../codes/svg-picture.tsx'

const SIZE = 480

export function LinkQr({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const picture = useMemo(() => drawQr({ text: link.short_url, size: SIZE }), [link.short_url])
  return (
    <Dialog isOpen onClose={onClose} title="QR code">
      <div className="mx-auto max-w-64 overflow-hidden rounded-lg border border-line">
        <SvgPicture svg={toSvg(picture)} label={`QR code for ${link.short_url}`} />
      </div>
      <p className="mt-3 mb-5 text-center text-sm text-muted">
        Opens <span className="font-mono text-ink">{bare(link.short_url)}</span>. It keeps working when you
        change the destination of the link.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <DownloadButtons picture={picture} name={link.code} />
        <ButtonLink
          icon={Palette}
          to="/codes/qr/$uuid"
          params={{ uuid: 'new' }}
          search={{ url: link.short_url }}
        >
          Customise
        </ButtonLink>
      </div>
    </Dialog>
  )
}
