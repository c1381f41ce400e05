import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Barcode, Item, Page, QrCode } from '@waymark/sdk'
import { api } from './client.ts'

/** Number of codes, pages, campaigns or removed items on a page. */
export const LIST_SIZE = 60

const listQuery =
  <N extends 'qrcodes' | 'barcodes' | 'pages' | 'utmLinks'>(name: N) =>
  (search: string | undefined, limit = LIST_SIZE, cursor?: string) =>
    queryOptions({
      queryKey: [name, 'list', search ?? null, limit, cursor ?? null],
      queryFn: async ({ signal }) => {
        const answer = await api[name]({ search, limit, cursor }, { signal })
        return answer as unknown as { data: Item<N>[]; meta: { total: number; next_cursor: string | null } }
      },
      placeholderData: keepPreviousData,
    })

export const qrcodesQuery = listQuery('qrcodes')
export const barcodesQuery = listQuery('barcodes')
export const pagesQuery = listQuery('pages')
export const utmLinksQuery = listQuery('utmLinks')

/** One row by its uuid: a list with only that row. */
const find = async <N extends 'qrcodes' | 'barcodes' | 'pages'>(
  name: N,
  uuid: string,
  signal: AbortSignal,
): Promise<Item<N> | null> => {
  const answer = (await api[name]({ uuid }, { signal })) as unknown as { data: Item<N>[] }
  return answer.data[0] ?? null
}

export const qrcodeQuery = (uuid: string) =>
  queryOptions<QrCode | null>({
    queryKey: ['qrcodes', 'one', uuid],
    queryFn: ({ signal }) => find('qrcodes', uuid, signal),
  })

export const barcodeQuery = (uuid: string) =>
  queryOptions<Barcode | null>({
    queryKey: ['barcodes', 'one', uuid],
    queryFn: ({ signal }) => find('barcodes', uuid, signal),
  })

export const pageQuery = (uuid: string) =>
  queryOptions<Page | null>({
    queryKey: ['pages', 'one', uuid],
    queryFn: ({ signal }) => find('pages', uuid, signal),
  })
