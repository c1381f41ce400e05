import { z } from 'zod'
import { described, named } from './described.ts'
import { contactUrl, flag, httpUrl, imageFile, requiredText, text } from './fields.ts'
import { rowId } from './page-parts.ts'
import { switching } from './switching.ts'

/** What a button is: a link, or one of the blocks between links. */
export const ButtonType = z.enum(['link', 'heading', 'text', 'divider'])

const buttonTexts = {
  id: 'Identifies the button on this page.',
  status: '1 shows the button, 0 hides it.',
  label: 'Text of the button. A divider needs none.',
  url: 'Where the button leads: http, https, `tel:`, `mailto:` or `sms:`.',
  type: '`link` (default), or a block between links: `heading`, `text` or `divider`.',
  image: 'A small picture in the button: an image of at most 2048 KB or its URL; in responses its URL.',
}

// An address that the server returned is kept; any other one is not fetched by the server.
const file = imageFile()
const thumbnail = switching((value) => (typeof value === 'string' ? httpUrl : file), [httpUrl, file])

const blockFields = {
  label: requiredText(255),
  url: contactUrl.nullish(),
  // A divider is another variant, and one of the types that a sender can choose all the same.
  type: ButtonType.exclude(['divider'], {
    error: `Must be one of: ${ButtonType.options.join(', ')}`,
  }).nullish(),
  image: thumbnail.nullish(),
}
const dividerFields = { ...blockFields, label: text(255).nullish(), type: z.literal('divider') }

const isDivider = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Record<string, unknown>)['type'] === 'divider'

const formRow = { id: rowId.nullish(), status: flag.nullish() }
const FormBlock = named(
  'PageButtonInput',
  'A button of a page, or a heading or text between buttons.',
  z.object(described(buttonTexts, { ...formRow, ...blockFields })),
)
const FormDivider = named(
  'PageDividerInput',
  'A line between buttons of a page.',
  z.object(described(buttonTexts, { ...formRow, ...dividerFields })),
)
/** A button in the form schema. */
export const FormButton = switching(
  (value) => (isDivider(value) ? FormDivider : FormBlock),
  [FormBlock, FormDivider],
)

const nestedRow = { id: rowId, status: flag }
const NestedBlock = named(
  'NestedPageButtonInput',
  'A button of a page in the nested structure, or a heading or text between buttons.',
  z.object(described(buttonTexts, { ...nestedRow, ...blockFields })),
)
const NestedDivider = named(
  'NestedPageDividerInput',
  'A line between buttons of a page in the nested structure.',
  z.object(described(buttonTexts, { ...nestedRow, ...dividerFields })),
)
/** A button in the nested structure. */
export const NestedButton = switching(
  (value) => (isDivider(value) ? NestedDivider : NestedBlock),
  [NestedBlock, NestedDivider],
)

/** A button of a page as responses show it. */
export const PageButton = named(
  'PageButton',
  'A button of a page, or a block between buttons.',
  z.object(
    described(buttonTexts, {
      id: z.int(),
      status: z.int(),
      label: z.string(),
      url: z.string().nullable(),
      type: ButtonType,
      image: z.string().nullable(),
    }),
  ),
)
