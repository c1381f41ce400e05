import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Page } from '@waymark/sdk'
import { ExternalLink, LayoutTemplate, Plus } from 'lucide-react'
import { LIST_SIZE, pagesQuery } from '../../api/resources.ts'
import { ListBody, ListSearch } from '../../lists/list-body.tsx'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { useList } from '../../lists/use-list.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { useEmptyTitle } from '../../ui/may.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { EmptyState, ScreenHead } from '../../ui/screen.tsx'
import { Swatch } from './swatch.tsx'
import { themeOf } from './themes.ts'
import { ago } from '../../ui/times.ts'

export function Pages() {
  const { search } = useSearch({ from: '/inside/pages' })
  const navigate = useNavigate({ from: '/pages' })
  const list = useList((cursor) => pagesQuery(search, LIST_SIZE, cursor))
  const emptyTitle = useEmptyTitle('generatePage', 'page', search)
  return (
    <>
      <ScreenHead
        title="Pages"
        lead="Landing pages for your links. Each page has its own short link and QR code."
      >
        <ButtonLink does="generatePage" look="primary" icon={Plus} to="/pages/$uuid" params={{ uuid: 'new' }}>
          New page
        </ButtonLink>
      </ScreenHead>
      <ListSearch
        list={list}
        label="Search pages"
        search={search}
        onSearch={(next) => void navigate({ search: { ...FIRST_PAGE, search: next }, replace: true })}
      />
      <ListBody
        list={list}
        what="page"
        skeletons={{ count: 2, className: 'h-36' }}
        whenEmpty={
          <EmptyState
            picture={<LayoutTemplate aria-hidden size={56} strokeWidth={1.2} />}
            title={emptyTitle}
            action={
              <ButtonLink
                does="generatePage"
                look="primary"
                icon={Plus}
                to="/pages/$uuid"
                params={{ uuid: 'new' }}
              >
                New page
              </ButtonLink>
            }
          >
            Add a title, images and buttons, and check the result in the phone preview. When you publish the
            page, its QR code is ready to print.
          </EmptyState>
        }
      >
        <ul className={`grid gap-4 transition-opacity md:grid-cols-2 ${list.isStale ? 'opacity-60' : ''}`}>
          {list.rows.map((page) => (
            <PageCard key={page.uuid} page={page} />
          ))}
        </ul>
      </ListBody>
    </>
  )
}

function PageCard({ page }: { readonly page: Page }) {
  const picture = page.images.find((image) => image.status === 1)?.src ?? page.logo
  return (
    <li className="flex overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <Link
        to="/pages/$uuid"
        params={{ uuid: page.uuid }}
        tabIndex={-1}
        aria-hidden
        className="grid w-28 shrink-0 place-items-center bg-brand-soft text-brand sm:w-36"
      >
        {picture === null ? (
          <Swatch theme={themeOf(page.theme)} />
        ) : (
          <img src={picture} alt="" loading="lazy" className="size-full object-cover" />
        )}
      </Link>
      <div className="min-w-0 flex-1 p-4">
        <Link
          data-row
          to="/pages/$uuid"
          params={{ uuid: page.uuid }}
          dir="auto"
          title={page.title}
          className="line-clamp-2 text-left font-bold wrap-anywhere hover:underline"
        >
          {page.title}
        </Link>
        <p className="mb-2 truncate text-sm text-muted">{bare(page.page_url)}</p>
        <Plate shortUrl={page.short_link.short_url} />
        <div className="mt-2 flex items-center justify-between">
          <p className="text-sm text-faint">
            <span className="font-semibold text-ink tabular">{counted(page.views, 'view')}</span>, updated{' '}
            {ago(page.updated_at)}
          </p>
          <span className="flex">
            <CopyButton text={page.page_url} label={null} what="page URL" />
            <a
              href={page.page_url}
              target="_blank"
              rel="noreferrer"
              aria-label="Open page"
              title="Open page"
              className="button button-icon button-ghost"
            >
              <ExternalLink aria-hidden size={17} />
            </a>
          </span>
        </div>
      </div>
    </li>
  )
}
