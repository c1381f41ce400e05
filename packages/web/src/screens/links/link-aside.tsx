import { drawQr, toSvg } from '@waymark/codes'
import type { Link } from '@waymark/sdk'
import { QrCode } from 'lucide-react'
import { useMemo } from 'react'
import { CopyButton } from '../../ui/copy.tsx'
import { Plate } from '../../ui/plate.tsx'
import { DownloadButtons } from '../codes/download-buttons.tsx'
import { SvgPicture } from '../codes/svg-picture.tsx'
import type { LinkValues } from './link-form.ts'

const SIZE = 480

const isShortCode = (text: string): boolean => /^[\w-]{1,64}$/.test(text)

/** The short link in the panel; null while its short code is unknown. */
const shortUrlOf = ({ customLink, domain }: LinkValues, link: Link | null): string | null => {
  const code = customLink.trim()
  if (!isShortCode(code)) return null
  if (link !== null && (domain === '' || domain === link.domain))
    return `${link.short_url.slice(0, link.short_url.lastIndexOf('/'))}/${code}`
  const { protocol, hostname, port, origin } = location
  if (domain === '' || domain === hostname) return `${origin}/${code}`
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}/${code}`
}

/** A preview of the link: its QR code, drawn while the short code is typed. */
export function LinkAside({ values, link }: { readonly values: LinkValues; readonly link: Link | null }) {
  const shortUrl = shortUrlOf(values, link)
  const picture = useMemo(
    () => (shortUrl === null ? null : drawQr({ text: shortUrl, size: SIZE })),
    [shortUrl],
  )
  return (
    <>
      <QrSection {...{ picture, shortUrl, link, name: values.customLink.trim() }} />
      <SocialCard values={values} shortUrl={shortUrl} />
    </>
  )
}

/** The card as apps show it; without its own texts a link has the card of its destination. */
function SocialCard({ values, shortUrl }: { readonly values: LinkValues; readonly shortUrl: string | null }) {
  const { title, description } = values.card
  const image = values.cardImage
  if (title === '' && description === '' && image === null) return null
  return (
    <section aria-label="Social preview" className="mt-6">
      <h3 className="mb-2 text-sm font-semibold">Social preview</h3>
      <div className="overflow-hidden rounded-lg border border-line">
        {image === null ? (
          <div className="grid aspect-[1.91] place-content-center bg-brand p-4 text-center font-bold text-on-brand">
            <span className="line-clamp-3 wrap-anywhere">{title}</span>
          </div>
        ) : (
          <img src={image} alt="" className="block aspect-[1.91] w-full object-cover" />
        )}
        <div className="p-3 text-sm">
          <p className="text-xs text-faint">{shortUrl === null ? location.host : new URL(shortUrl).host}</p>
          <p className="font-semibold wrap-anywhere">{title}</p>
          <p className="line-clamp-2 text-muted wrap-anywhere">{description}</p>
        </div>
      </div>
    </section>
  )
}

function QrSection({
  picture,
  shortUrl,
  link,
  name,
}: {
  readonly picture: ReturnType<typeof drawQr> | null
  readonly shortUrl: string | null
  readonly link: Link | null
  readonly name: string
}) {
  return (
    <section aria-label="QR code">
      <h3 className="mb-2 text-sm font-semibold">QR code</h3>
      {picture === null || shortUrl === null ? (
        <div className="grid aspect-square place-content-center justify-items-center gap-2 rounded-lg border border-dashed border-line-strong p-4 text-center text-sm text-faint">
          <QrCode aria-hidden size={40} strokeWidth={1.2} />
          Type a short code to see its QR code, or create the link first.
        </div>
      ) : (
        <>
          <div className="overflow-hidden rounded-lg border border-line">
            <SvgPicture svg={toSvg(picture)} label={`QR code for ${shortUrl}`} />
          </div>
          <p className="mt-2 flex min-w-0 items-center justify-between gap-1">
            <Plate shortUrl={shortUrl} />
            <CopyButton text={shortUrl} label={null} what="short link" />
          </p>
          {link !== null && (
            <div className="mt-2 flex flex-wrap gap-2">
              <DownloadButtons picture={picture} name={name} />
            </div>
          )}
        </>
      )}
    </section>
  )
}
