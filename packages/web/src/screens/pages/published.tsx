import type { Page } from '@waymark/sdk'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Address, QrDownload, ViewPage } from './share-card.tsx'

/** What to share after the first publication: the URL, the short link and the QR code. */
export function Published({ page, onClose }: { readonly page: Page | null; readonly onClose: () => void }) {
  return (
    <Dialog isOpen={page !== null} onClose={onClose} title="Page published">
      {page !== null && (
        <div className="grid gap-6 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <QrDownload page={page} />
          <div className="min-w-0 space-y-4">
            <Address label="Page URL" url={page.page_url} />
            <Address label="Short link" url={page.short_link.short_url} />
            <div className="flex flex-wrap gap-2 pt-1">
              <ViewPage page={page} />
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
