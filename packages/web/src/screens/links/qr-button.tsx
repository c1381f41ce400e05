import type { Link } from '@waymark/sdk'
import { QrCode } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'

const LinkQr = lazy(async () => ({ default: (await import('./link-qr.tsx')).LinkQr }))

/** The QR code of a link in one click; what draws it is loaded then. */
export function QrButton({ link }: { readonly link: Link }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton label="QR code" icon={QrCode} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Suspense>
          <LinkQr link={link} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
