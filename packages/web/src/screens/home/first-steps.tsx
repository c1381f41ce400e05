import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Link as ShortLink, Page, QrCode } from '@waymark/sdk'
import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { instanceQuery, profileQuery } from '../../api/account.ts'
import { sentenceOf } from '../../api/client.ts'
import { recentLinksQuery } from '../../api/links.ts'
import { pagesQuery } from '../../api/resources.ts'
import { areFirstStepsOpen, closeFirstSteps } from '../../shell/session.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Plate } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'
import { recentCodesQuery } from './recent.tsx'
import { addSampleData, SAMPLE_SLUG, SAMPLE_TAG, SAMPLE_TEXT } from './sample-data.ts'

/** A checklist for a new account, in the browser that signed up: a link, a code and a page. */
export function FirstSteps() {
  const { data: profile } = useQuery(profileQuery)
  const email = profile?.email ?? ''
  const [isOpen, setIsOpen] = useState(() => areFirstStepsOpen(email))
  return isOpen ? <Checklist email={email} onHide={() => setIsOpen(false)} /> : null
}

/** Sample data does not complete any step. */
const own = {
  link: ({ owner, tags }: ShortLink): boolean => owner === null && !tags.includes(SAMPLE_TAG),
  code: ({ description }: QrCode): boolean => description?.startsWith(SAMPLE_TEXT) !== true,
  page: ({ slug }: Page): boolean => !slug.startsWith(SAMPLE_SLUG),
}

function Checklist({ email, onHide }: { readonly email: string; readonly onHide: () => void }) {
  const links = useQuery(recentLinksQuery)
  const codes = useQuery(recentCodesQuery)
  const pages = useQuery(pagesQuery(undefined, 2))
  const link = links.data?.data.find(own.link)
  const ofPages = new Set(pages.data?.data.map(({ qr_code }) => qr_code.uuid))
  const code = codes.data?.data.find((one) => own.code(one) && !ofPages.has(one.uuid))
  const page = pages.data?.data.find(own.page)
  const hasSample = [links, codes, pages].some(({ data }) => (data?.data.length ?? 0) > 0)
  const done = [link, code, page].filter((made) => made !== undefined).length
  useEffect(() => {
    // When all steps are done it is not shown again, even if something is removed later.
    if (done === 3) closeFirstSteps(email)
  }, [done, email])
  return (
    <Card
      title="Get started"
      lead={done === 3 ? 'All done' : `${done} of 3 done`}
      aside={
        <IconButton
          label="Hide the checklist"
          icon={X}
          onClick={() => {
            closeFirstSteps(email)
            onHide()
          }}
        />
      }
    >
      <ol className="grid gap-3 md:grid-cols-3">
        <Step title="Shorten a link" isDone={link !== undefined} text="Paste a URL above and press Enter.">
          {link !== undefined && <Plate shortUrl={link.short_url} />}
        </Step>
        <Step title="Create a QR code" isDone={code !== undefined} text="With your colours and logo.">
          {code === undefined ? (
            <ButtonLink to="/codes/qr/$uuid" params={{ uuid: 'new' }}>
              New QR code
            </ButtonLink>
          ) : (
            <Link to="/codes/qr/$uuid" params={{ uuid: code.uuid }}>
              <img src={code.svg_url} alt="Your QR code" width={56} height={56} className="rounded-sm" />
            </Link>
          )}
        </Step>
        <Step title="Publish a page" isDone={page !== undefined} text="All your links at one address.">
          {page === undefined ? (
            <ButtonLink to="/pages/$uuid" params={{ uuid: 'new' }}>
              New page
            </ButtonLink>
          ) : (
            <a
              href={page.page_url}
              className="font-semibold wrap-anywhere text-brand underline underline-offset-2"
            >
              {page.title}
            </a>
          )}
        </Step>
      </ol>
      {done === 0 && !hasSample && <SampleData />}
    </Card>
  )
}

function Step({
  title,
  text,
  isDone,
  children,
}: {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly children: ReactNode
}) {
  return (
    <li className="flex gap-3 rounded-lg border border-line p-4">
      <span
        aria-hidden
        className={`grid size-6 shrink-0 place-items-center rounded-full ${isDone ? 'bg-brand text-on-brand' : 'border-2 border-line-strong'}`}
      >
        {isDone && <Check size={14} strokeWidth={3} />}
      </span>
      <div className="min-w-0 space-y-2">
        <p className="font-semibold">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        {!isDone && <p className="text-sm text-muted">{text}</p>}
        {children}
      </div>
    </li>
  )
}

function SampleData() {
  const { data: instance } = useQuery(instanceQuery)
  const [isBusy, setIsBusy] = useState(false)
  const add = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await addSampleData(new URL(instance?.base_url ?? location.origin).hostname)
      toast.news(`Sample data added. Its links have the tag “${SAMPLE_TAG}”.`)
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-sm text-muted">
      Just looking around?
      <Button isBusy={isBusy} onClick={() => void add()}>
        Add sample data
      </Button>
    </p>
  )
}
