import { UploadedFile } from '@waymark/contract'
import type { Body } from '@waymark/contract/schemas'
import { AppError } from '../../net/errors.ts'
import { withIds } from './page-ids.ts'

/** A stored file. */
export interface StoredPicture {
  readonly hash: string
  readonly width: number
  readonly height: number
}

/** A picture of a page: a stored file, or an external URL, which is never fetched. */
export interface StoredImage {
  readonly id: number
  readonly status: 0 | 1
  readonly title: string | null
  readonly picture: StoredPicture | null
  readonly src: string | null
}

type GivenImage = NonNullable<Body<'generatePage'>['images']>[number]
type GivenEntry = Exclude<GivenImage, UploadedFile>
type Draft = Omit<StoredImage, 'id'> & { readonly id: number | null | undefined }

/** The stored form of an upload, which the schema has validated. */
export const storedPicture = ({ image }: UploadedFile): StoredPicture => {
  if (image === undefined) throw new Error('an upload was not prepared')
  return { hash: image.hash, width: image.width, height: image.height }
}

/** Finds a stored image by its id, or by its URL in a response. */
const findKept = (
  { id, src }: GivenEntry,
  before: readonly StoredImage[],
  addressOf: (image: StoredImage) => string,
): StoredImage | undefined => {
  const byId = before.find((old) => old.id === id)
  if (byId !== undefined && (src === null || src === undefined || src === addressOf(byId))) return byId
  return src === null || src === undefined
    ? undefined
    : before.find((old) => old.picture !== null && addressOf(old) === src)
}

const readEntry = (
  entry: GivenEntry,
  before: readonly StoredImage[],
  addressOf: (image: StoredImage) => string,
): Draft | undefined => {
  const kept = findKept(entry, before, addressOf)
  const { id, src } = entry
  if (kept === undefined && (src === null || src === undefined)) return undefined
  return {
    id: id ?? kept?.id,
    status: entry.status === undefined ? (kept?.status ?? 1) : (entry.status ?? 1),
    title: (entry.title === undefined ? kept?.title : entry.title) || null,
    picture: kept?.picture ?? null,
    src: kept === undefined ? (src ?? null) : kept.src,
  }
}

/**
 * The pictures of a request, in order. Uploads are new; entries keep, move, rename or hide existing pictures, or refer to
 * external ones.
 */
export const readImages = (
  given: readonly GivenImage[],
  before: readonly StoredImage[],
  mediaUrl: (hash: string) => string,
): StoredImage[] => {
  const addressOf = ({ picture, src }: StoredImage): string =>
    picture === null ? (src ?? '') : new URL(mediaUrl(picture.hash)).href
  const errors: Record<string, string[]> = {}
  const drafts = given.map((item, at): Draft => {
    if (item instanceof UploadedFile)
      return { id: undefined, status: 1, title: null, picture: storedPicture(item), src: null }
    const draft = readEntry(item, before, addressOf)
    if (draft === undefined) errors[`images.${at}.src`] = ['This field is required']
    return draft ?? { id: undefined, status: 1, title: null, picture: null, src: null }
  })
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors })
  return withIds(drafts, 'images')
}

/** All uploads of a request, once per content. */
export const uploadsOf = ({
  images,
  logo,
  buttons,
}: Pick<Body<'generatePage'>, 'images' | 'logo' | 'buttons'>): UploadedFile[] => {
  const thumbnails = (buttons ?? []).map(({ image }) => image)
  const files = [logo, ...(images ?? []), ...thumbnails].filter((item) => item instanceof UploadedFile)
  return [...new Map(files.map((file) => [file.image?.hash, file])).values()]
}
