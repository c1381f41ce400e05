import type { Link } from '@waymark/sdk'
import { QrCode } from 'lucide-react'
import { useState } from 'react'
import { toast } from '../../shell/toasts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'

const LinkQr = loadOnDemand(async () => (await import('./link-qr.tsx')).LinkQr)

/** The QR code of a link; the drawing code is loaded on the first click. */
export function QrButton({ link }: { readonly link: Link }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton label="QR code" icon={QrCode} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Demanded
          onFailure={(error) => {
            setIsOpen(false)
            toast.failure(error.message)
          }}
        >
          <LinkQr link={link} onClose={() => setIsOpen(false)} />
        </Demanded>
      )}
    </>
  )
}
