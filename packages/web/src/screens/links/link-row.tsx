import { Link as LinkTo } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  CornerDownRight,
  Ellipsis,
  Pencil,
  Share2,
  Trash2,
} from 'lucide-react'
import { headingOf, isSpent } from '../../api/links.ts'
import { classes } from '../../ui/classes.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { count, counted } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { ago, momentOf } from '../../ui/times.ts'
import { LinkBadges, LinkTags, LinkTraits, owners } from './link-marks.tsx'
import { QrButton } from './qr-button.tsx'
import { share } from './share.ts'

interface LinkRowProps {
  readonly link: Link
  readonly isActive: boolean
  readonly isPicked: boolean
  readonly onFocus: () => void
  readonly onPick: (isRange: boolean) => void
  readonly onOpen: () => void
  readonly onEdit: () => void
  readonly onDuplicate: () => void
  readonly onArchive: () => void
  readonly onRemove: () => void
}

/** Clicks on these elements do not open the row. */
const CONTROLS = 'a, button, input, label, dialog, [popover], td:first-child'

/** A link: its title, short link, destination and tags, what it is used, and what can be done with it. */
export function LinkRow({ link, isActive, isPicked, onFocus, onPick, onOpen, ...actions }: LinkRowProps) {
  const owner = link.owner === null ? null : owners[link.owner.type]
  return (
    <tr
      data-row
      tabIndex={isActive ? 0 : -1}
      aria-selected={isPicked}
      onFocus={onFocus}
      onClick={(event) => {
        const { target } = event
        const isControl = target instanceof Element && target.closest(CONTROLS) !== null
        if (!isControl && getSelection()?.isCollapsed !== false) onOpen()
      }}
      className={classes(
        'cursor-pointer border-b border-line -outline-offset-2 transition-colors last:border-0 hover:bg-ground',
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
        <Names link={link} />
        <LinkTags link={link} className="mt-1.5 md:hidden" />
      </td>
      <td className="hidden py-3 pr-2 md:table-cell">
        <LinkTags link={link} />
      </td>
      <td className="hidden py-3 text-right sm:table-cell">
        <span className="font-bold tabular">{count(link.clicks)}</span>
        {link.max_clicks !== null && (
          <span className="text-sm text-faint tabular"> / {count(link.max_clicks)}</span>
        )}
        {link.last_click_at !== null && (
          <span className="block text-xs text-faint" title={`Last click ${momentOf(link.last_click_at)}`}>
            {ago(link.last_click_at)}
          </span>
        )}
      </td>
      <td className="hidden py-3 pl-8 text-sm text-muted xl:table-cell" title={momentOf(link.created_at)}>
        {ago(link.created_at)}
      </td>
      <td className="py-3 pr-2">
        <RowActions link={link} owner={owner} {...actions} />
      </td>
    </tr>
  )
}

function Names({ link }: { readonly link: Link }) {
  const heading = headingOf(link)
  const place = { to: '/links/$code', params: { code: link.code }, search: { domain: link.domain } } as const
  return (
    <>
      <p className="mb-1 flex">
        <LinkTo
          {...place}
          dir="auto"
          className="truncate text-left leading-snug font-semibold hover:underline"
          title={heading ?? link.link}
        >
          {heading ?? bare(link.link)}
        </LinkTo>
      </p>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="flex max-w-full min-w-0 items-center">
          <LinkTo {...place} className="flex min-w-0">
            <Plate
              shortUrl={link.short_url}
              look={isSpent(link) || link.archived || link.blocked !== null ? 'faded' : 'soft'}
            />
          </LinkTo>
          <CopyButton
            text={link.short_url}
            label={null}
            what={bare(link.short_url)}
            className="min-h-8! w-8!"
          />
          <LinkTraits link={link} />
        </span>
        <LinkBadges link={link} />
      </div>
      {heading !== null && (
        <p className="mt-1 flex min-w-0 items-center gap-1.5 text-sm text-muted" title={link.link}>
          <CornerDownRight aria-hidden size={13} className="shrink-0 text-faint" />
          <span dir="ltr" className="truncate">
            {bare(link.link)}
          </span>
        </p>
      )}
      <p className="mt-1 text-sm text-muted tabular sm:hidden">
        {counted(link.clicks, 'click')}
        {link.last_click_at !== null && `, ${ago(link.last_click_at)}`}
      </p>
    </>
  )
}

function RowActions({
  link,
  owner,
  onEdit,
  onDuplicate,
  onArchive,
  onRemove,
}: Pick<LinkRowProps, 'link' | 'onEdit' | 'onDuplicate' | 'onArchive' | 'onRemove'> & {
  readonly owner: string | null
}) {
  return (
    <div className="flex justify-end">
      <QrButton link={link} />
      <Menu label={`More for ${bare(link.short_url)}`} trigger={<Ellipsis aria-hidden size={17} />}>
        <MenuItem does="editLinks" icon={Pencil} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuItem does="generateLink" icon={CopyPlus} onSelect={onDuplicate}>
          Duplicate
        </MenuItem>
        <MenuItem icon={Share2} onSelect={() => void share(link.short_url)}>
          Share
        </MenuItem>
        <MenuItem does="editLinks" icon={link.archived ? ArchiveRestore : Archive} onSelect={onArchive}>
          {link.archived ? 'Unarchive' : 'Archive'}
        </MenuItem>
        <MenuLine />
        <MenuItem does="removeLinks" icon={Trash2} isDanger isDisabled={owner !== null} onSelect={onRemove}>
          {owner === null ? 'Remove' : `Belongs to a ${owner}`}
        </MenuItem>
      </Menu>
    </div>
  )
}
