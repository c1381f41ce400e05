import { UploadedFile } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { withIds } from './page-ids.ts'
import { type StoredPicture, storedPicture } from './page-images.ts'

/** The thumbnail of a button: a stored file, or an external URL, which is never fetched. */
type StoredThumbnail = { readonly picture: StoredPicture } | { readonly src: string }

type AnsweredButton = Data<'generatePage'>['buttons'][number]

/** A button in its stored form. */
export interface StoredButton extends Omit<AnsweredButton, 'image'> {
  readonly image: StoredThumbnail | null
}

type GivenButton = NonNullable<Body<'generatePage'>['buttons']>[number]
type MediaUrl = (hash: string) => string

/** The URL of a thumbnail. */
export const thumbnailUrl = (image: StoredButton['image'], mediaUrl: MediaUrl): string | null => {
  if (image === null) return null
  return 'src' in image ? image.src : mediaUrl(image.picture.hash)
}

/** An upload, an existing picture of the button, or an external one. */
const readThumbnail = (
  given: GivenButton['image'],
  before: readonly StoredButton[],
  mediaUrl: MediaUrl,
): StoredThumbnail | null => {
  if (given === null || given === undefined) return null
  if (given instanceof UploadedFile) return { picture: storedPicture(given) }
  const addressOf = ({ image }: StoredButton): string | undefined =>
    image !== null && 'picture' in image ? new URL(mediaUrl(image.picture.hash)).href : undefined
  return before.find((button) => addressOf(button) === given)?.image ?? { src: given }
}

/** The buttons of a request, in order. */
export const readButtons = (
  given: readonly GivenButton[],
  before: readonly StoredButton[],
  mediaUrl: MediaUrl,
): StoredButton[] =>
  withIds(given, 'buttons').map(({ id, status, label, url, type, image, contact }) => ({
    id,
    status: status ?? 1,
    label: label ?? '',
    url: url ?? null,
    type: type ?? 'link',
    image: readThumbnail(image, before, mediaUrl),
    contact: contact == null ? null : readContact(contact),
  }))

/** Every field of a contact; blank ones are null. */
const readContact = (given: NonNullable<GivenButton['contact']>): CardContact => ({
  first_name: given.first_name || null,
  last_name: given.last_name || null,
  organisation: given.organisation || null,
  title: given.title || null,
  phone: given.phone || null,
  mobile: given.mobile || null,
  email: given.email || null,
  website: given.website || null,
  street: given.street || null,
  city: given.city || null,
  postcode: given.postcode || null,
  country: given.country || null,
  note: given.note || null,
})

/** A stored button with the fields that older buttons lack. */
export const withBlockFields = (stored: StoredButton): StoredButton => {
  const { type, image, contact } = stored as Partial<StoredButton>
  return { ...stored, type: type ?? 'link', image: image ?? null, contact: contact ?? null }
}

/** The contact of a card. */
export type CardContact = NonNullable<StoredButton['contact']>

/** The name of a contact: the person, else the organisation. */
export const nameOfContact = ({ first_name, last_name, organisation }: CardContact): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (organisation ?? '')

/** The name of a button in statistics: its label, or what it shows instead. */
export const nameOfButton = ({ label, url, contact }: StoredButton): string =>
  label || (contact === null ? (url ?? '') : nameOfContact(contact))

/** The hashes of thumbnails that are stored files. */
export const filesOfButtons = (buttons: readonly StoredButton[]): string[] =>
  buttons.flatMap(({ image }) => (image !== null && 'picture' in image ? [image.picture.hash] : []))
