import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '@waymark/sdk'
import { ExternalLink, LayoutTemplate, Plus } from 'lucide-react'
import { useState } from 'react'
import { useHidden } from '../../api/removal.ts'
import { pagePages } from '../../api/resources.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Failure } from '../../ui/failure.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { EmptyState, ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Swatch } from './swatch.tsx'
import { themeOf } from './themes.ts'
import { ago } from '../../ui/times.ts'

export function Pages() {
  const [search, setSearch] = useState<string | undefined>()
  const query = useInfiniteQuery(pagePages(search))
  const hidden = useHidden()
  const pages = (query.data?.pages ?? []).flatMap(({ data }) => data).filter((page) => !hidden.has(page.uuid))
  return (
    <>
      <ScreenHead
        title="Pages"
        lead="Landing pages for your links. Each page has its own short link and QR code."
      >
        <ButtonLink look="primary" icon={Plus} to="/pages/$uuid" params={{ uuid: 'new' }}>
          New page
        </ButtonLink>
      </ScreenHead>
      {(search !== undefined || pages.length > 6) && (
        <div className="mb-5">
          <SearchField label="Search pages" value={search} onSearch={setSearch} />
        </div>
      )}
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeletons count={2} className="h-36" />}
      {query.data !== undefined && pages.length === 0 && !query.hasNextPage && (
        <EmptyState
          picture={<LayoutTemplate aria-hidden size={56} strokeWidth={1.2} />}
          title={search === undefined ? 'Create your first page' : 'No matching pages'}
          action={
            <ButtonLink look="primary" icon={Plus} to="/pages/$uuid" params={{ uuid: 'new' }}>
              New page
            </ButtonLink>
          }
        >
          Add a title, images and buttons, and check the result in the phone preview. When you publish the
          page, its QR code is ready to print.
        </EmptyState>
      )}
      <ul className="grid gap-4 md:grid-cols-2">
        {pages.map((page) => (
          <PageCard key={page.uuid} page={page} />
        ))}
      </ul>
      {pages.length > 0 && (
        <LoadMore query={query} total={query.data?.pages[0]?.meta.total ?? 0} what="page" />
      )}
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
        <Link data-row to="/pages/$uuid" params={{ uuid: page.uuid }} className="font-bold hover:underline">
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
