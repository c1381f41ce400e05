import type { Page } from '@waymark/sdk'
import { ExternalLink, Palette } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { bare } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'

/** How to share a page: its URLs, its QR code and its preview picture. */
export function ShareCard({ page }: { readonly page: Page }) {
  return (
    <Card title="Share" aside={<ViewPage page={page} />}>
      <div className="grid items-start gap-5 sm:grid-cols-[7rem_minmax(0,1fr)] 2xl:grid-cols-[7rem_minmax(0,1fr)_10rem]">
        <QrDownload page={page} />
        <div className="min-w-0 space-y-3">
          <Address label="Page URL" url={page.page_url} />
          <Address label="Short link" url={page.short_link.short_url} />
          <ButtonLink
            look="ghost"
            icon={Palette}
            to="/codes/qr/$uuid"
            params={{ uuid: page.qr_code.uuid }}
            className="-ml-3"
          >
            Customise QR code
          </ButtonLink>
        </div>
        {/* Pictures of other hosts are not allowed in the dashboard. */}
        {sharePicture(page).startsWith(location.origin) && (
          <a
            href={sharePicture(page)}
            download={`${page.slug}-preview.png`}
            title="Download share picture"
            className="block overflow-hidden rounded-md border border-line sm:max-w-60 sm:max-2xl:col-start-2"
          >
            <img
              src={sharePicture(page)}
              alt={`What links to ${page.title} look like when shared`}
              loading="lazy"
              className="block aspect-[1200/630] w-full object-cover"
            />
          </a>
        )}
      </div>
    </Card>
  )
}

const sharePicture = ({ slug, page_url, updated_at }: Page): string =>
  `${new URL(page_url).origin}/o/${slug}.png?v=${Date.parse(updated_at)}`

export function ViewPage({ page }: { readonly page: Page }) {
  return (
    <a href={page.page_url} target="_blank" rel="noreferrer" className="button button-plain">
      <ExternalLink aria-hidden size={16} /> View page
    </a>
  )
}

export function QrDownload({ page }: { readonly page: Page }) {
  return (
    <a
      href={page.qr_code.image_url}
      download={`${page.slug}.png`}
      title="Download QR code"
      className="mx-auto block w-full max-w-36 self-start overflow-hidden rounded-md border border-line bg-[#fff] p-2"
    >
      <img src={page.qr_code.svg_url} alt={`QR code for ${page.title}`} className="block w-full" />
    </a>
  )
}

export function Address({ label, url }: { readonly label: string; readonly url: string }) {
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
