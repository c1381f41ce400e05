import { queryOptions } from '@tanstack/react-query'
import type { Page } from '@waymark/sdk'
import { queryClient } from '../../api/query-client.ts'
import { pageQuery } from '../../api/resources.ts'
import { newKey, pageValuesOf, type PageValues, slugOf } from './page-form.ts'
import { pickFile } from '../../forms/picked-files.ts'

/** A picture of this server as a file, so that the copy has its own; undefined for an external one. */
const ownFile = async (address: string): Promise<File | undefined> => {
  const { origin, href, pathname } = new URL(address, location.origin)
  if (origin !== location.origin) return undefined
  const response = await fetch(href)
  if (!response.ok) return undefined
  const blob = await response.blob()
  return new File([blob], pathname.split('/').at(-1) ?? 'picture', { type: blob.type })
}

const copyOf = async (page: Page): Promise<PageValues> => {
  const values = pageValuesOf(page)
  const logoFile = values.logo === null ? undefined : await ownFile(values.logo)
  const images = values.images.map(async (image) => {
    const file = await ownFile(image.src)
    if (file === undefined) return { ...image, key: newKey() }
    return { ...image, key: newKey(), id: undefined, file, src: URL.createObjectURL(file) }
  })
  const buttons = values.buttons.map(async (button) => {
    const file = button.image === null ? undefined : await ownFile(button.image)
    return file === undefined ? button : { ...button, image: pickFile(file) }
  })
  return {
    ...values,
    title: `${values.title} copy`,
    slug: slugOf(`${values.slug} copy`),
    logo: logoFile === undefined ? null : URL.createObjectURL(logoFile),
    logoFile,
    images: await Promise.all(images),
    buttons: await Promise.all(buttons),
  }
}

/** The initial values of a page's copy; null if there is no such page. */
export const pageCopyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['pages', 'copy', uuid],
    queryFn: async () => {
      const page = await queryClient.ensureQueryData(pageQuery(uuid))
      return page === null ? null : copyOf(page)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
