import { Link } from '@tanstack/react-router'
import type { LiveClick } from '@waymark/sdk'
import { useEffect, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { Card } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'
import { ValueIcon } from './value-icon.tsx'
import { valueName } from './value-names.ts'

const TICK_MS = 15_000

/** A click with its own number, because two clicks can be equal. */
export interface HeardClick {
  readonly id: number
  readonly click: LiveClick
}

const kinds: Record<LiveClick['kind'], string> = {
  link: 'Click',
  page: 'View',
  button: 'Button',
  icon: 'Social icon',
}

/** The latest clicks, which move down when others arrive. */
export function LiveList({
  clicks,
  isOpen,
  hasNames,
  isWide,
  isFiltered,
}: {
  readonly clicks: readonly HeardClick[]
  readonly isOpen: boolean
  /** Clicks of several links: each shows its link. */
  readonly hasNames: boolean
  /** Whether it has no card beside it. */
  readonly isWide: boolean
  /** Whether the figures beside it leave some clicks out. */
  readonly isFiltered: boolean
}) {
  useTicks(TICK_MS)
  return (
    <Card
      title="Live"
      lead={isFiltered ? 'All clicks. The filters do not apply here.' : undefined}
      className={classes('p-5 sm:p-6', isWide && 'md:col-span-2')}
    >
      {clicks.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">
          {isOpen ? 'Waiting for clicks. They appear here as they arrive.' : 'Connecting…'}
        </p>
      ) : (
        <ol
          role="log"
          aria-label="Latest clicks"
          tabIndex={0}
          className="max-h-96 divide-y divide-line overflow-y-auto"
        >
          {clicks.map(({ id, click }) => (
            <li key={id} className="live-row flex items-center gap-2.5 py-2 text-sm">
              <ValueIcon by="country" value={click.country} />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-1.5">
                  <ClickedResource click={click} hasName={hasNames} />
                  {click.bot && (
                    <span className="rounded-[3px] bg-sunken px-1.5 pt-px text-xs font-semibold text-muted">
                      Bot
                    </span>
                  )}
                </span>
                <span className="block truncate text-faint">{factsOf(click)}</span>
              </span>
              <time dateTime={click.clicked_at} className="shrink-0 text-faint">
                {ago(click.clicked_at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

export function LiveMark({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-muted">
      <span
        aria-hidden
        className={classes('size-2 rounded-full', isOpen ? 'live-pulse bg-chart' : 'bg-line-strong')}
      />
      {isOpen ? 'Live' : 'Offline'}
    </span>
  )
}

function ClickedResource({ click, hasName }: { readonly click: LiveClick; readonly hasName: boolean }) {
  const country = valueName('country', click.country)
  if (!hasName) return <span className="truncate font-medium">{`${kinds[click.kind]}, ${country}`}</span>
  if (click.link_uuid === null)
    return <span className="truncate font-medium">{`${kinds[click.kind]} on /p/${click.code}`}</span>
  return (
    <Link
      to="/links/$code"
      params={{ code: click.code }}
      search={{ domain: click.domain }}
      className="block min-w-0 font-mono font-semibold wrap-anywhere hover:underline"
    >
      /{click.code}
    </Link>
  )
}

const factsOf = ({ referrer, device, browser, os, variant, source, bot }: LiveClick): string =>
  [
    source === 'qr' ? 'Scan' : valueName('referrer', referrer),
    bot ? '' : valueName('device', device),
    browser,
    os,
    variant,
  ]
    .filter((fact) => fact !== '')
    .join(', ')

/** Renders again regularly: "just now" becomes a minute ago. */
function useTicks(ms: number): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), ms)
    return () => clearInterval(timer)
  }, [ms])
}
