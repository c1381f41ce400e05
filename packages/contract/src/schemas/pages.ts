import { z } from 'zod'
import { ListQuery, list, resourceTexts, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { flag, imageFile, multiLine, newSlug, opaque, required, singleLine, slug, uuid } from './fields.ts'
import { Link } from './links.ts'
import { FormButton, NestedButton, PageButton } from './page-buttons.ts'
import {
  FormIcon,
  FormImage,
  formTheme,
  imageOr,
  NestedIcon,
  NestedImage,
  nestedTheme,
  PageImage,
  SocialIcon,
  Theme,
  TopShape,
  topShape,
} from './page-parts.ts'
import { QrCode } from './qrcodes.ts'
import { switching } from './switching.ts'
import { Removal, RemovedResources } from './trash.ts'

/** The position of a page's logo. */
export const LogoPosition = z.enum(['top-left', 'top-right', 'top-center', 'bottom-left', 'bottom-right'])

/** How the social icons are aligned. */
export const SocialAlign = z.enum(['left', 'center', 'right'])

const MAX_IMAGES = 20
const MAX_BUTTONS = 100
const pageTexts = {
  ...resourceTexts,
  title: 'Title of the page.',
  subtext: 'Text below the title.',
  subtitle: 'Another name of `subtext`.',
  slug: 'Last part of the address: letters, digits and hyphens, unique on its domain.',
  domain: 'The domain that serves the page. Default: the host of this instance.',
  logoText: 'Text beside the logo.',
  logoStatus: '1 shows the logo, 0 hides it.',
  logoPosition: 'Position of the logo.',
  logo: 'The logo: an image of at most 2048 KB; in responses its URL.',
  theme: 'Colours, borders and shadows. A list of themes is merged; later ones win.',
  topShape: 'The shape at the top of the page.',
  socialAlign: 'How the social icons are aligned. Default `center`.',
  socialIcons: 'Links to social networks.',
  images: 'Pictures of the page: uploads of at most 2048 KB each, or entries with a `src`. 20 at most.',
  buttons: 'The buttons of the page.',
  page_url: 'Address of the page.',
  short_link: 'The short link of the page.',
  qr_code: 'The QR code of the short link.',
  views: 'How often the page was viewed, without bots.',
  draft:
    'True saves the changes as a draft until an edit with `publish`. False, without any other field, discards the draft.',
  publish: 'True publishes the draft together with the changes of this request, if any.',
  conflicts:
    'Fields that the draft changes and that were changed on the published page after the draft began, such as `title`. Publishing the draft replaces what is published of them. Fields that the draft leaves as they are follow the published page.',
  unpublished:
    'The draft: the fields of the page as they will be once it is published. Null without a draft.',
}
const sharedFields = {
  title: required(singleLine(255)),
  subtext: multiLine(500).nullish(),
  subtitle: multiLine(500).nullish(),
  logoText: singleLine(50).nullish(),
  logoPosition: LogoPosition,
  logo: imageFile().nullish(),
  socialAlign: SocialAlign.nullish(),
  topShape: topShape.nullish(),
}
const formFields = {
  ...sharedFields,
  domain: opaque(255).nullish(),
  logoStatus: flag.nullish(),
  socialIcons: z.array(FormIcon).max(20).nullish(),
  buttons: z.array(FormButton).min(1).max(MAX_BUTTONS),
  theme: formTheme.nullish(),
}
const nestedFields = {
  ...sharedFields,
  slug,
  domain: required(opaque(255)),
  logoStatus: flag,
  socialIcons: z.array(NestedIcon).max(20).nullish(),
  images: z.array(imageOr(NestedImage)).max(MAX_IMAGES).nullish(),
  buttons: z.array(NestedButton).min(1).max(MAX_BUTTONS).nullish(),
  theme: nestedTheme,
}
const formImages = z.array(imageOr(FormImage)).max(MAX_IMAGES)

const PageFormCreate = named(
  'PageCreate',
  'A new page, in the fields of the form schema.',
  z.object(described(pageTexts, { ...formFields, slug: newSlug, images: formImages.min(1) })),
)
// In forms numbers and booleans arrive as text, and are converted before this.
const draftFields = { draft: z.boolean().nullish(), publish: z.boolean().nullish() }
const PageFormEdit = named(
  'PageEdit',
  'Changes to a page, in the fields of the form schema.',
  z.object(
    described(pageTexts, {
      uuid,
      ...formFields,
      slug: slug.nullish(),
      images: formImages.nullish(),
      ...draftFields,
    }),
  ),
)
const PageNestedCreate = named(
  'NestedPageCreate',
  'A new page, in the nested structure.',
  z.object(described(pageTexts, { ...nestedFields, slug: newSlug })),
)
const PageNestedEdit = named(
  'NestedPageEdit',
  'Changes to a page, in the nested structure.',
  z.object(described(pageTexts, { uuid, ...nestedFields, ...draftFields })),
)
const PagePublish = named(
  'PagePublish',
  'Publishes the draft of a page as it is.',
  z.object(described(pageTexts, { uuid, publish: z.literal(true) })),
)
const PageDiscard = named(
  'PageDiscard',
  'Discards the draft of a page.',
  z.object(described(pageTexts, { uuid, draft: z.literal(false) })),
)

const given = (value: unknown): boolean => value !== undefined && value !== null

/** Whether a request uses the nested structure, and so its required fields. */
export const isNestedPage = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { logoStatus, topShape: shape, theme } = value as Record<string, unknown>
  const themes: unknown[] = Array.isArray(theme) ? theme : [theme]
  const hasGradient = themes.some((item) =>
    given((item as Record<string, unknown> | undefined | null)?.['bggradient']),
  )
  return given(logoStatus) || given(shape) || hasGradient
}

/** Every rule of a new page, in both schemas. */
export const PageCreate = switching(
  (value) => (isNestedPage(value) ? PageNestedCreate : PageFormCreate),
  [PageFormCreate, PageNestedCreate],
)

const contentNames = Object.keys({ ...formFields, ...nestedFields, images: formImages })

/** What an edit without content does to the draft: publish it, or discard it. */
const draftRule = (value: unknown): typeof PagePublish | typeof PageDiscard | undefined => {
  const fields = (value ?? {}) as Record<string, unknown>
  if (contentNames.some((name) => fields[name] !== undefined)) return undefined
  if (fields['publish'] === true) return PagePublish
  return fields['draft'] === false ? PageDiscard : undefined
}

/** Every rule of an edited page, in both schemas. */
export const PageEdit = switching(
  (value) => draftRule(value) ?? (isNestedPage(value) ? PageNestedEdit : PageFormEdit),
  [PageFormEdit, PageNestedEdit, PagePublish, PageDiscard],
)

const returnedFields = {
  title: z.string(),
  subtext: z.string().nullable(),
  subtitle: z.string().nullable(),
  slug: z.string(),
  domain: z.string(),
  logoText: z.string().nullable(),
  logoStatus: z.int(),
  logoPosition: LogoPosition,
  logo: z.string().nullable(),
  theme: Theme,
  topShape: TopShape,
  socialAlign: SocialAlign,
  socialIcons: z.array(SocialIcon),
  images: z.array(PageImage),
  buttons: z.array(PageButton),
}
const PageDraft = named(
  'PageDraft',
  'The fields of a page as they will be once its draft is published.',
  z.object(described(pageTexts, returnedFields)),
)

/** A page in responses: the union of both schemas. */
export const Page = named(
  'Page',
  'A custom page with its short link and QR code.',
  z.object(
    described(pageTexts, {
      uuid: z.string(),
      ...returnedFields,
      unpublished: PageDraft.nullable(),
      conflicts: z.array(z.string()),
      page_url: z.string(),
      short_link: Link,
      qr_code: QrCode,
      views: z.int(),
      created_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** Body, query and response of every operation on pages. */
export const pageSchemas = {
  pages: { query: ListQuery, response: list(Page) },
  generatePage: { body: PageCreate, response: success(Page) },
  editPage: { body: PageEdit, response: success(Page) },
  removePage: { body: Removal, response: success(RemovedResources) },
}
