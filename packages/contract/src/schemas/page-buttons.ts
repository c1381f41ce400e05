import { z } from 'zod'
import { PageContact, PageContactInput } from './contents.ts'
import { described, named } from './described.ts'
import { contactUrl, flag, httpUrl, imageFile, multiLine, required, singleLine } from './fields.ts'
import { rowId } from './page-parts.ts'
import { switching } from './switching.ts'

/** Types of buttons: a link, or another block among the links. */
export const ButtonType = z.enum(['link', 'heading', 'text', 'divider', 'image', 'video', 'contact'])

const buttonTexts = {
  id: 'Identifies the button on this page.',
  status: '1 shows the button, 0 hides it.',
  label:
    'Text of the button. Of an image or video: its caption. Of a contact: the text of its button, by default “Save contact” in the visitor’s language. Optional for a divider, an image and a contact.',
  url: 'Where the button leads: http, https, `tel:`, `mailto:` or `sms:`. Of a video: where it plays (http or https).',
  type: '`link` (default), or another block: `heading`, `text`, `divider`, `image`, `video` (a picture that leads to it) or `contact` (a card with a file to save).',
  image:
    'A picture: an image of at most 2048 KB or its URL; in responses its URL. Small in a button, wide in an image or video, round in a contact. An image needs one.',
  contact: 'The contact of a button of type `contact`.',
}

// An external URL is stored but never fetched by the server.
const file = imageFile()
const picture = switching(
  // Without a value the rule for URLs reports that it is required.
  (value) => (value == null || typeof value === 'string' ? httpUrl : file),
  [httpUrl, file],
)

const common = { url: contactUrl.nullish(), image: picture.nullish(), contact: PageContactInput.nullish() }
const caption = singleLine(255).nullish()

/** The fields of each type of block. Fields that a type does not show are stored as they are sent. */
const kinds = {
  Button: {
    ...common,
    label: required(singleLine(255)),
    // The other types are separate variants, but a sender can also choose them.
    type: ButtonType.extract(['link', 'heading'], {
      error: `Must be one of: ${ButtonType.options.join(', ')}`,
    }).nullish(),
  },
  Text: { ...common, label: required(multiLine(255)), type: z.literal('text') },
  Divider: { ...common, label: caption, type: z.literal('divider') },
  ImageBlock: { ...common, label: caption, type: z.literal('image'), image: picture },
  Video: { ...common, label: required(singleLine(255)), type: z.literal('video'), url: httpUrl },
  ContactCard: { ...common, label: caption, type: z.literal('contact'), contact: PageContactInput },
}

const kindNames = {
  text: 'Text',
  divider: 'Divider',
  image: 'ImageBlock',
  video: 'Video',
  contact: 'ContactCard',
} as const

const kindOf = (value: unknown): keyof typeof kinds => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' && Object.hasOwn(kindNames, type)
    ? kindNames[type as keyof typeof kindNames]
    : 'Button'
}

const formRow = { id: rowId.nullish(), status: flag.nullish() }
const formKinds = {
  Button: named(
    'PageButtonInput',
    'A button of a page, or a heading between buttons.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.Button })),
  ),
  Text: named(
    'PageTextInput',
    'A text between buttons of a page.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.Text })),
  ),
  Divider: named(
    'PageDividerInput',
    'A line between buttons of a page.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.Divider })),
  ),
  ImageBlock: named(
    'PageImageBlockInput',
    'An image between buttons of a page, which may lead somewhere.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.ImageBlock })),
  ),
  Video: named(
    'PageVideoInput',
    'A picture on a page that leads to a video.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.Video })),
  ),
  ContactCard: named(
    'PageContactCardInput',
    'A contact card on a page, with a file to save.',
    z.object(described(buttonTexts, { ...formRow, ...kinds.ContactCard })),
  ),
}
/** A button in the form schema. */
export const FormButton = switching(
  (value) => formKinds[kindOf(value)],
  [
    formKinds.Button,
    formKinds.Text,
    formKinds.Divider,
    formKinds.ImageBlock,
    formKinds.Video,
    formKinds.ContactCard,
  ],
)

const nestedRow = { id: rowId, status: flag }
const nestedKinds = {
  Button: named(
    'NestedPageButtonInput',
    'A button of a page, or a heading between buttons, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.Button })),
  ),
  Text: named(
    'NestedPageTextInput',
    'A text between buttons of a page, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.Text })),
  ),
  Divider: named(
    'NestedPageDividerInput',
    'A line between buttons of a page, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.Divider })),
  ),
  ImageBlock: named(
    'NestedPageImageBlockInput',
    'An image between buttons of a page, which may lead somewhere, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.ImageBlock })),
  ),
  Video: named(
    'NestedPageVideoInput',
    'A picture on a page that leads to a video, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.Video })),
  ),
  ContactCard: named(
    'NestedPageContactCardInput',
    'A contact card on a page, with a file to save, in the nested structure.',
    z.object(described(buttonTexts, { ...nestedRow, ...kinds.ContactCard })),
  ),
}
/** A button in the nested structure. */
export const NestedButton = switching(
  (value) => nestedKinds[kindOf(value)],
  [
    nestedKinds.Button,
    nestedKinds.Text,
    nestedKinds.Divider,
    nestedKinds.ImageBlock,
    nestedKinds.Video,
    nestedKinds.ContactCard,
  ],
)

/** A button of a page in responses. */
export const PageButton = named(
  'PageButton',
  'A button of a page, or another block among the buttons.',
  z.object(
    described(buttonTexts, {
      id: z.int(),
      status: z.int(),
      label: z.string(),
      url: z.string().nullable(),
      type: ButtonType,
      image: z.string().nullable(),
      contact: PageContact.nullable(),
    }),
  ),
)
