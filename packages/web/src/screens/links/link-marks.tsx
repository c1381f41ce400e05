import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link as LinkTo } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { KeyRound, type LucideIcon, Route, Shuffle, Smartphone, Timer } from 'lucide-react'
import { queryClient } from '../../api/query-client.ts'
import {
  barcodeQuery,
  barcodesQuery,
  pageQuery,
  pagesQuery,
  qrcodeQuery,
  qrcodesQuery,
} from '../../api/resources.ts'
import { classes } from '../../ui/classes.ts'
import { Badge } from '../../ui/badge.tsx'
import { tagClass } from '../../ui/tag.tsx'
import { momentOf } from '../../ui/times.ts'

export const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'UTM link' } as const

const hasPassed = (time: string, nowMs = Date.now()): boolean => Date.parse(time) <= nowMs

/** States that keep visitors from the destination, or the link out of the lists. */
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
      {link.has_password && <Trait icon={KeyRound} label="Password protected" />}
      {isToExpire && <Trait icon={Timer} label={`Expires ${momentOf(link.expire ?? '')}`} />}
      {(link.ios_url !== null || link.android_url !== null) && (
        <Trait icon={Smartphone} label="iOS / Android destination" />
      )}
      {link.rules.length > 0 && <Trait icon={Route} label="Redirects by rules" />}
      {link.variants.length > 0 && <Trait icon={Shuffle} label="Several variants" />}
    </span>
  )
}

function Trait({ icon: Icon, label }: { readonly icon: LucideIcon; readonly label: string }) {
  return (
    <span role="img" aria-label={label} title={label}>
      <Icon aria-hidden size={14} />
    </span>
  )
}

const SHOWN_TAGS = 3

/** The tags of a link; each filters the list. An owned link shows its owner. */
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
      {link.owner !== null && <OwnerLink owner={link.owner} />}
    </span>
  )
}

type Owner = NonNullable<Link['owner']>

const withUuid = <Row extends { readonly uuid: string }>(
  { data }: { readonly data: readonly Row[] },
  uuid: string,
): Row | undefined => data.find((row) => row.uuid === uuid)

/** The newest of a kind are loaded together; only an older one is requested alone. */
const ownerNameQuery = ({ type, uuid }: Owner) =>
  queryOptions({
    queryKey: [`${type}s`, 'name', uuid],
    queryFn: async (): Promise<string | null> => {
      if (type === 'page') {
        const newest = withUuid(await queryClient.fetchQuery(pagesQuery(undefined)), uuid)
        return (newest ?? (await queryClient.fetchQuery(pageQuery(uuid))))?.title ?? null
      }
      if (type === 'qrcode') {
        const newest = withUuid(await queryClient.fetchQuery(qrcodesQuery(undefined)), uuid)
        return (newest ?? (await queryClient.fetchQuery(qrcodeQuery(uuid))))?.description ?? null
      }
      const newest = withUuid(await queryClient.fetchQuery(barcodesQuery(undefined)), uuid)
      return (newest ?? (await queryClient.fetchQuery(barcodeQuery(uuid))))?.description ?? null
    },
    enabled: type !== 'utm',
  })

/** The name of a link's owner, as a link to it. */
export function OwnerLink({ owner }: { readonly owner: Owner }) {
  const { data: name } = useQuery(ownerNameQuery(owner))
  const kind = owners[owner.type]
  return (
    <LinkTo
      {...placeOf(owner)}
      dir="auto"
      className="max-w-full truncate text-xs text-muted underline decoration-line-strong underline-offset-2 hover:text-ink"
    >
      {kind.charAt(0).toUpperCase() + kind.slice(1)}
      {name != null && `: ${name}`}
    </LinkTo>
  )
}

const placeOf = ({ type, uuid }: Owner) => {
  if (type === 'page') return { to: '/pages/$uuid', params: { uuid } } as const
  if (type === 'qrcode') return { to: '/codes/qr/$uuid', params: { uuid } } as const
  if (type === 'barcode') return { to: '/codes/barcode/$uuid', params: { uuid } } as const
  return { to: '/utm' } as const
}

/** Tags as links to the filtered list. */
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
