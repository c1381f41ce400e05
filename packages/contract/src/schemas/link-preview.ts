import { z } from 'zod'
import { described, named } from './described.ts'
import { httpUrl, imageFile, multiLine, singleLine } from './fields.ts'
import { switching } from './switching.ts'

const texts = {
  title: 'Title of the card. Default: the short link.',
  description: 'Text below the title.',
  image:
    'Picture of the card: an upload of at most 2048 KB, as part `preview[image]` of a multipart request. The URL that a response gave keeps the picture. Null: a picture is drawn from the title and the description.',
}

// The service compares a URL with that of the link's picture.
const file = imageFile()
const image = switching((value) => (typeof value === 'string' ? httpUrl : file), [httpUrl, file])

const words = { title: singleLine().nullish(), description: multiLine().nullish() }

/** The preview of a new or edited link. */
export const previewInput = named(
  'LinkPreviewInput',
  'What apps show when the short link is shared. On edit, omitted fields do not change.',
  z.object(described(texts, { ...words, image: image.nullish() })),
)

/** The preview in an imported file, which cannot contain a picture. */
export const importedPreview = z.object(described(texts, words))

/** The preview of a link in responses. */
export const LinkPreview = named(
  'LinkPreview',
  'What apps show when the short link is shared.',
  z.object(
    described(
      { ...texts, image: 'URL of the uploaded picture (JPEG); null if the picture is drawn from the text.' },
      { title: z.string().nullable(), description: z.string().nullable(), image: z.string().nullable() },
    ),
  ),
)
