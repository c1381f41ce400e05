import { Link as LinkTo } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { KeyRound, Route, Shuffle, Smartphone, Timer } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { Badge } from '../../ui/badge.tsx'
import { tagClass } from '../../ui/tag.tsx'
import { momentOf } from '../../ui/times.ts'

export const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'UTM link' } as const

const hasPassed = (time: string, nowMs = Date.now()): boolean => Date.parse(time) <= nowMs

/** What keeps visitors from the destination, or the link from the lists. */
export function LinkBadges({ link }: { readonly link: Link }) {
  return (
    <>
      {link.blocked !== null && (
        <Badge look="danger" title={link.blocked.reason ?? 'Blocked by the operator of this instance'}>
          Blocked
        </Badge>
      )}
      {link.expire !== null && hasPassed(link.expire) && (
        <Badge look="warn" title={momentOf(link.expire)}>
          Expired
        </Badge>
      )}
      {link.max_clicks !== null && link.clicks >= link.max_clicks && (
        <Badge look="warn">Click limit reached</Badge>
      )}
      {link.starts_at !== null && !hasPassed(link.starts_at) && (
        <Badge look="good" title={`Starts ${momentOf(link.starts_at)}`}>
          Scheduled
        </Badge>
      )}
      {link.archived && <Badge>Archived</Badge>}
    </>
  )
}

/** Icons for the settings of a link that change how it redirects. */
export function LinkTraits({ link }: { readonly link: Link }) {
  const isToExpire = link.expire !== null && !hasPassed(link.expire)
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-faint empty:hidden">
      {link.has_password && <KeyRound size={14} aria-label="Password protected" />}
      {isToExpire && <Timer size={14} aria-label={`Expires ${momentOf(link.expire ?? '')}`} />}
      {(link.ios_url !== null || link.android_url !== null) && (
        <Smartphone size={14} aria-label="iOS / Android destination" />
      )}
      {link.rules.length > 0 && <Route size={14} aria-label="Redirects by rules" />}
      {link.variants.length > 0 && <Shuffle size={14} aria-label="Several variants" />}
    </span>
  )
}

const SHOWN_TAGS = 3

/** The tags of a link; each filters the list. A link of something else says what it belongs to. */
export function LinkTags({ link, className }: { readonly link: Link; readonly className?: string }) {
  const more = link.tags.slice(SHOWN_TAGS)
  if (link.tags.length === 0 && link.owner === null) return null
  return (
    <span className={classes('flex flex-wrap items-center gap-1', className)}>
      <TagLinks tags={link.tags.slice(0, SHOWN_TAGS)} />
      {more.length > 0 && (
        <span className="text-xs text-faint" title={more.join(', ')}>
          +{more.length}
        </span>
      )}
      {link.owner !== null && <span className="text-xs text-faint">{owners[link.owner.type]}</span>}
    </span>
  )
}

/** Tags, each leading to its links. */
export function TagLinks({ tags }: { readonly tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <LinkTo
          key={tag}
          to="/links"
          search={{ tag }}
          dir="auto"
          title={`Links tagged ${tag}`}
          className={tagClass(tag)}
        >
          {tag}
        </LinkTo>
      ))}
    </>
  )
}
