import { Link } from '@tanstack/react-router'
import type { Link as ShortLink } from '@waymark/sdk'
import { ChartColumn } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { sentenceOf } from '../../api/client.ts'
import { shorten } from '../../api/shorten.ts'
import { classes } from '../../ui/classes.ts'
import { CopyButton, copyText } from '../../ui/copy.tsx'
import { bare, Plate } from '../../ui/plate.tsx'
import { QrButton } from '../links/qr-button.tsx'

/** Paste, Enter, copied. */
export function QuickShorten() {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const [address, setAddress] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [made, setMade] = useState<{ link: ShortLink; isCopied: boolean } | null>(null)

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setIsBusy(true)
    setFault(null)
    try {
      const link = await shorten(address)
      setMade({ link, isCopied: await copyText(link.short_url) })
      setAddress('')
    } catch (error) {
      setFault(sentenceOf(error))
    } finally {
      setIsBusy(false)
      inputRef.current?.focus()
    }
  }

  return (
    <div>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={id} className="sr-only">
          URL to shorten
        </label>
        <div
          className={classes(
            'flex items-stretch rounded-lg border bg-surface p-1.5 shadow-md transition-colors',
            fault === null ? 'border-line-strong focus-within:border-brand' : 'border-danger',
          )}
        >
          <input
            ref={inputRef}
            id={id}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="Paste a long URL"
            aria-invalid={fault !== null || undefined}
            aria-describedby={`${id}-answer`}
            className="min-w-0 flex-1 bg-transparent px-3 pt-1 text-base outline-none sm:text-lg"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
          <button type="submit" className="plate-button shrink-0" disabled={isBusy}>
            {isBusy ? 'Shortening…' : 'Shorten'}
          </button>
        </div>
      </form>
      <div id={`${id}-answer`} aria-live="polite">
        {fault !== null && <p className="mt-2 text-sm font-medium text-danger">{fault}</p>}
        {made !== null && fault === null && (
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4">
            <span className="min-w-0 flex-1">
              <Plate shortUrl={made.link.short_url} look="strong" />
              <span className="ml-3 text-sm text-muted">
                {made.isCopied ? 'Copied. Destination: ' : 'Destination: '}
                <span className="wrap-anywhere">{bare(made.link.link)}</span>
              </span>
            </span>
            <span className="flex items-center gap-1">
              <CopyButton text={made.link.short_url} what="short link" />
              <QrButton link={made.link} />
              <Link
                to="/links/$code"
                params={{ code: made.link.code }}
                search={{ domain: made.link.domain }}
                className="button button-icon button-ghost"
                aria-label="Statistics"
                title="Statistics"
              >
                <ChartColumn aria-hidden size={17} />
              </Link>
            </span>
          </div>
        )}
      </div>
    </div>
  )
}
