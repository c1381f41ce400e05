import { Link as LinkTo } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { Ellipsis, KeyRound, Pencil, Share2, Smartphone, Timer, Trash2 } from 'lucide-react'
import { isSpent } from '../../api/links.ts'
import { classes } from '../../ui/classes.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { count } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { ago, dayOf, momentOf } from '../../ui/times.ts'
import { headingOf } from './link-form.ts'
import { QrButton } from './qr-button.tsx'
import { share } from './share.ts'

interface LinkRowProps {
  readonly link: Link
  readonly isActive: boolean
  readonly isPicked: boolean
  readonly onFocus: () => void
  readonly onPick: (isRange: boolean) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'UTM link' } as const

export function LinkRow({ link, isActive, isPicked, onFocus, onPick, onEdit, onRemove }: LinkRowProps) {
  const owner = link.owner === null ? null : owners[link.owner.type]
  const heading = headingOf(link)
  return (
    <tr
      data-row
      tabIndex={isActive ? 0 : -1}
      aria-selected={isPicked}
      onFocus={onFocus}
      className={classes(
        'border-b border-line -outline-offset-2 transition-colors last:border-0 hover:bg-ground',
        isPicked && 'bg-brand-soft hover:bg-brand-soft',
      )}
    >
      <td className="py-3 pl-4 align-middle">
        <input
          type="checkbox"
          className="checkbox align-middle disabled:opacity-40"
          aria-label={`Select ${bare(link.short_url)}`}
          title={owner === null ? undefined : `Belongs to a ${owner} and is removed with it`}
          disabled={owner !== null}
          checked={isPicked}
          onClick={(event) => onPick(event.shiftKey)}
          readOnly
        />
      </td>
      <td className="py-3 pr-2">
        <div className="flex min-w-0 items-center gap-2">
          <LinkTo
            to="/links/$code"
            params={{ code: link.code }}
            search={{ domain: link.domain }}
            className="min-w-0"
          >
            <Plate shortUrl={link.short_url} look={isSpent(link) ? 'faded' : 'soft'} />
          </LinkTo>
          <Traits link={link} />
        </div>
        <p className="mt-1 truncate text-sm text-muted" title={link.link}>
          {heading !== null && <span className="font-semibold text-ink">{heading} </span>}
          {bare(link.link)}
        </p>
      </td>
      <td className="hidden py-3 pr-2 md:table-cell">
        <Tag link={link} />
      </td>
      <td className="py-3 text-right">
        <span className="font-bold tabular">{count(link.clicks)}</span>
        {link.max_clicks !== null && (
          <span className="text-sm text-faint tabular"> / {count(link.max_clicks)}</span>
        )}
        <span className="hidden text-xs text-faint sm:block">
          {link.last_click_at === null ? 'no clicks' : ago(link.last_click_at)}
        </span>
      </td>
      <td className="hidden py-3 pl-8 text-sm text-muted xl:table-cell" title={momentOf(link.created_at)}>
        {ago(link.created_at)}
      </td>
      <td className="py-3 pr-2">
        <div className="flex justify-end">
          <span className="hidden sm:flex">
            <CopyButton text={link.short_url} label={null} what={bare(link.short_url)} />
            <QrButton link={link} />
          </span>
          <Menu label={`More for ${bare(link.short_url)}`} trigger={<Ellipsis aria-hidden size={17} />}>
            <MenuItem icon={Pencil} onSelect={onEdit}>
              Edit
            </MenuItem>
            <MenuItem icon={Share2} onSelect={() => void share(link.short_url)}>
              Share
            </MenuItem>
            <MenuLine />
            <MenuItem icon={Trash2} isDanger isDisabled={owner !== null} onSelect={onRemove}>
              {owner === null ? 'Remove' : `Belongs to a ${owner}`}
            </MenuItem>
          </Menu>
        </div>
      </td>
    </tr>
  )
}

function Tag({ link }: { readonly link: Link }) {
  if (link.tag !== null)
    return (
      <LinkTo
        to="/links"
        search={{ tag: link.tag }}
        className="inline-block max-w-full truncate rounded-full border border-line-strong px-2.5 pt-0.5 text-xs font-semibold text-muted hover:border-brand hover:text-brand"
      >
        {link.tag}
      </LinkTo>
    )
  return link.owner === null ? null : <span className="text-xs text-faint">{owners[link.owner.type]}</span>
}

/** Icons for the settings of a link that change how it redirects. */
function Traits({ link }: { readonly link: Link }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-faint">
      {link.has_password && <KeyRound size={14} aria-label="Password protected" />}
      {link.expire !== null && <Timer size={14} aria-label={`Expires ${dayOf(link.expire)}`} />}
      {(link.ios_url !== null || link.android_url !== null) && (
        <Smartphone size={14} aria-label="iOS / Android destination" />
      )}
    </span>
  )
}
