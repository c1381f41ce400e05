import type { Page } from '@waymark/sdk'
import { ExternalLink } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { bare } from '../../ui/plate.tsx'

/** What to share after publishing: the page URL, the short link and the QR code. */
export function Published({
  page,
  isFirst,
  onClose,
}: {
  readonly page: Page | null
  readonly isFirst: boolean
  readonly onClose: () => void
}) {
  return (
    <Dialog isOpen={page !== null} onClose={onClose} title={isFirst ? 'Page published' : 'Changes published'}>
      {page !== null && (
        <div className="grid gap-6 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <a
            href={page.qr_code.image_url}
            download={`${page.slug}.png`}
            title="Download QR code"
            className="mx-auto block w-36 self-start overflow-hidden rounded-md border border-line bg-[#fff] p-2"
          >
            <img src={page.qr_code.svg_url} alt={`QR code for ${page.title}`} className="block w-full" />
          </a>
          <div className="min-w-0 space-y-4">
            <Address label="Page URL" url={page.page_url} />
            <Address label="Short link" url={page.short_link.short_url} />
            <div className="flex flex-wrap gap-2 pt-1">
              <a href={page.page_url} target="_blank" rel="noreferrer" className="button button-primary">
                <ExternalLink aria-hidden size={16} /> View page
              </a>
              <Button look="ghost" onClick={onClose}>
                Continue editing
              </Button>
            </div>
          </div>
        </div>
      )}
    </Dialog>
  )
}

function Address({ label, url }: { readonly label: string; readonly url: string }) {
  return (
    <div>
      <p className="eyebrow">{label}</p>
      <p className="flex items-center gap-1">
        <a
          href={url}
          className="min-w-0 flex-1 truncate font-mono text-sm font-semibold text-brand hover:underline"
        >
          {bare(url)}
        </a>
        <CopyButton text={url} label={null} what={label.toLowerCase()} />
      </p>
    </div>
  )
}
