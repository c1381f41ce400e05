import { queryOptions } from '@tanstack/react-query'
import type { Input } from '@waymark/sdk'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

export const brandKitQuery = queryOptions({
  queryKey: ['brand-kit'],
  queryFn: async ({ signal }) => (await api.brandKit({}, { signal })).data,
  staleTime: 60_000,
})

export type BrandKit = Awaited<ReturnType<typeof api.brandKit>>['data']

export async function saveBrandKit(changes: Input<'editBrandKit'>): Promise<void> {
  const { data } = await api.editBrandKit(changes)
  queryClient.setQueryData(brandKitQuery.queryKey, data)
}

/** A stored picture as a PNG file, which both codes and pages accept. */
export async function pngOf(address: string): Promise<File> {
  const { pathname, search } = new URL(address, location.origin)
  const bitmap = await createImageBitmap(await (await fetch(pathname + search)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'logo.png', { type: 'image/png' })
}
