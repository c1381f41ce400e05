import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Link as ShortLink, Page, QrCode } from '@waymark/sdk'
import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { instanceQuery, profileQuery } from '../../api/account.ts'
import { sentenceOf } from '../../api/client.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Plate } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'
import { addSampleData, SAMPLE_TAG } from './sample-data.ts'

const nameOf = (email: string): string => `waymark.first-steps.${email}`

const isDismissed = (email: string): boolean => {
  try {
    return localStorage.getItem(nameOf(email)) === 'done'
  } catch {
    return false
  }
}

const dismiss = (email: string): void => {
  try {
    localStorage.setItem(nameOf(email), 'done')
  } catch {
    // Without storage it comes back with the next visit.
  }
}

/** A checklist for a new account: one link, one code, one page. It disappears when all are done, or on request. */
export function FirstSteps({
  link,
  code,
  page,
}: {
  readonly link: ShortLink | undefined
  readonly code: QrCode | undefined
  readonly page: Page | undefined
}) {
  const { data: profile } = useQuery(profileQuery)
  const email = profile?.email ?? ''
  const [isHidden, setIsHidden] = useState(() => isDismissed(email))
  const done = [link, code, page].filter((made) => made !== undefined).length
  if (isHidden || done === 3) return null
  return (
    <Card
      title="Get started"
      lead={`${done} of 3 done`}
      aside={
        <IconButton
          label="Hide the checklist"
          icon={X}
          onClick={() => {
            dismiss(email)
            setIsHidden(true)
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
      {done === 0 && <SampleData />}
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
