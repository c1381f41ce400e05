import { SYMBOLOGIES, symbologies } from '@waymark/codes/barcodes'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type CodeContent, contentLabel } from '@waymark/codes'
import type { Barcode, QrCode } from '@waymark/sdk'
import { calls } from '@waymark/sdk/calls'
import { Barcode as BarcodeIcon, Download, Plus, QrCode as QrIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { barcodesQuery, LIST_SIZE, qrcodesQuery } from '../../api/resources.ts'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { ListBody } from '../../lists/list-body.tsx'
import { type List, useList } from '../../lists/use-list.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { classes } from '../../ui/classes.ts'
import { useEmptyTitle } from '../../ui/may.tsx'
import { counted } from '../../ui/numbers.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { bare } from '../../ui/plate.tsx'
import { EmptyState, ScreenHead } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { openDownload } from './save-file.ts'

const CARD =
  'group block overflow-hidden rounded-lg border border-line bg-surface shadow-sm transition-colors hover:border-brand'

/** All QR codes and barcodes, as images. */
export function Codes() {
  const view = useSearch({ from: '/inside/codes' })
  const navigate = useNavigate({ from: '/codes' })
  const kind = view.kind ?? 'qr'
  return (
    <>
      <ScreenHead
        title="Codes"
        lead="QR codes and barcodes. Each image is decoded before it is saved, to check that it scans."
      >
        <ButtonLink
          does="generateBarcode"
          icon={BarcodeIcon}
          to="/codes/barcode/$uuid"
          params={{ uuid: 'new' }}
        >
          New barcode
        </ButtonLink>
        <ButtonLink
          does="generateQr"
          look="primary"
          icon={QrIcon}
          to="/codes/qr/$uuid"
          params={{ uuid: 'new' }}
        >
          New QR code
        </ButtonLink>
      </ScreenHead>
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <Segments
          label="Kind of code"
          hasHiddenLabel
          value={kind}
          onValue={(next) =>
            void navigate({
              search: { ...view, ...FIRST_PAGE, kind: next === 'barcode' ? 'barcode' : undefined },
            })
          }
          options={[
            { value: 'qr', label: 'QR codes' },
            { value: 'barcode', label: 'Barcodes' },
          ]}
        />
        <SearchField
          label="Search codes"
          value={view.search}
          onSearch={(search) => void navigate({ search: { ...view, ...FIRST_PAGE, search }, replace: true })}
        />
      </div>
      {kind === 'qr' ? <QrCodes search={view.search} /> : <Barcodes search={view.search} />}
    </>
  )
}

const titleOf = ({ url, content }: QrCode): string =>
  content === null ? bare(url ?? '') : contentLabel(content as CodeContent)

function QrCodes({ search }: { readonly search: string | undefined }) {
  const list = useList((cursor) => qrcodesQuery(search, LIST_SIZE, cursor))
  const emptyTitle = useEmptyTitle('generateQr', 'QR code', search)
  return (
    <Gallery
      list={list}
      what="QR code"
      nameOf={(code) => code.description ?? titleOf(code)}
      whenEmpty={
        <EmptyState
          picture={<QrIcon aria-hidden size={56} strokeWidth={1.2} />}
          title={emptyTitle}
          action={
            <ButtonLink
              does="generateQr"
              look="primary"
              icon={Plus}
              to="/codes/qr/$uuid"
              params={{ uuid: 'new' }}
            >
              New QR code
            </ButtonLink>
          }
        >
          Choose colours, add a logo, and see at once whether it still scans. A dynamic QR code counts its
          scans, and you can change its destination after printing.
        </EmptyState>
      }
    >
      {(code) => (
        <Link data-row to="/codes/qr/$uuid" params={{ uuid: code.uuid }} className={CARD}>
          <span className="grid aspect-square place-items-center bg-sunken p-4">
            <img src={code.svg_url} alt="" loading="lazy" className="size-full rounded-sm object-contain" />
          </span>
          <Caption
            title={code.description ?? titleOf(code)}
            detail={code.dynamic ? counted(code.scans, 'scan') : 'Static'}
            warnings={code.warnings.length}
          />
        </Link>
      )}
    </Gallery>
  )
}

const barcodeTitle = ({ description, text, url, encodes }: Barcode): string =>
  description ?? text ?? bare(url ?? encodes)

const either = new Intl.ListFormat('en', { type: 'disjunction' })

function Barcodes({ search }: { readonly search: string | undefined }) {
  const list = useList((cursor) => barcodesQuery(search, LIST_SIZE, cursor))
  const emptyTitle = useEmptyTitle('generateBarcode', 'barcode', search)
  return (
    <Gallery
      list={list}
      what="barcode"
      nameOf={barcodeTitle}
      whenEmpty={
        <EmptyState
          picture={<BarcodeIcon aria-hidden size={56} strokeWidth={1.2} />}
          title={emptyTitle}
          action={
            <ButtonLink
              does="generateBarcode"
              look="primary"
              icon={Plus}
              to="/codes/barcode/$uuid"
              params={{ uuid: 'new' }}
            >
              New barcode
            </ButtonLink>
          }
        >
          {either.format(SYMBOLOGIES.map((kind) => symbologies[kind].name))}, with an optional caption. A long
          URL makes a wide barcode: a dynamic barcode encodes a short link instead.
        </EmptyState>
      }
    >
      {(code) => (
        <Link data-row to="/codes/barcode/$uuid" params={{ uuid: code.uuid }} className={CARD}>
          <span className="grid aspect-[4/3] place-items-center bg-sunken p-4">
            <img
              src={code.svg_url}
              alt=""
              loading="lazy"
              className="max-h-full max-w-full rounded-sm object-contain"
            />
          </span>
          <Caption
            title={barcodeTitle(code)}
            detail={code.dynamic ? counted(code.scans, 'scan') : symbologies[code.symbology].name}
            warnings={code.warnings.length}
          />
        </Link>
      )}
    </Gallery>
  )
}

function Caption({
  title,
  detail,
  warnings,
}: {
  readonly title: string
  readonly detail: string
  readonly warnings: number
}) {
  return (
    <span className="block px-3 pt-2.5 pb-2">
      <span dir="auto" className="line-clamp-2 text-left text-sm font-semibold wrap-anywhere">
        {title}
      </span>
      <span className="flex justify-between gap-2 text-xs text-faint">
        {detail}
        {warnings > 0 && <span className="font-semibold text-warn">{counted(warnings, 'warning')}</span>}
      </span>
    </span>
  )
}

function Gallery<Code extends { readonly uuid: string }>({
  list,
  what,
  whenEmpty,
  nameOf,
  children,
}: {
  readonly list: List & { readonly rows: readonly Code[] }
  readonly what: string
  readonly whenEmpty: ReactNode
  readonly nameOf: (code: Code) => string
  readonly children: (code: Code) => ReactNode
}) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.rows.map(({ uuid }) => uuid).filter((uuid) => marked.has(uuid))
  return (
    <ListBody list={list} what={what} skeletons={{ count: 2, className: 'h-48' }} whenEmpty={whenEmpty}>
      <ExportMenu chosen={chosen} />
      <ul
        className={classes(
          'grid grid-cols-2 gap-4 transition-opacity sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-5',
          list.isStale && 'opacity-60',
        )}
      >
        {list.rows.map((code) => (
          <li key={code.uuid} className="relative">
            {children(code)}
            <label className="absolute top-0 left-0 grid size-11 place-items-center">
              <span className="sr-only">Select {nameOf(code)}</span>
              <input
                type="checkbox"
                className="size-4.5 accent-brand"
                checked={marked.has(code.uuid)}
                onChange={({ target }) =>
                  setMarked((before) => {
                    const after = new Set(before)
                    if (target.checked) after.add(code.uuid)
                    else after.delete(code.uuid)
                    return after
                  })
                }
              />
            </label>
          </li>
        ))}
      </ul>
    </ListBody>
  )
}

/** Downloads pictures as a ZIP file: of the selected codes, or of all. */
function ExportMenu({ chosen }: { readonly chosen: readonly string[] }) {
  const label = chosen.length === 0 ? 'Export all codes' : `Export ${counted(chosen.length, 'code')}`
  const save = (format: 'svg' | 'png'): void => {
    const query = new URLSearchParams({ format, ...(chosen.length > 0 && { uuids: chosen.join() }) })
    openDownload(`${calls.exportCodes.path}?${query}`)
  }
  return (
    <div className="mb-4 flex justify-end">
      <Menu
        label={label}
        hasOwnText
        triggerClassName="button button-plain"
        trigger={
          <>
            <Download aria-hidden size={16} /> {label}
          </>
        }
      >
        <MenuItem onSelect={() => save('svg')}>SVG files</MenuItem>
        <MenuItem onSelect={() => save('png')}>PNG files</MenuItem>
      </Menu>
    </div>
  )
}
