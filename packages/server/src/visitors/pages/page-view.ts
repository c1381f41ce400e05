import { sites } from '@waymark/contract'
import { type Language, visitorTexts } from '@waymark/page/languages'
import type { PageButton, PageImage, PageView, Picture } from '@waymark/page'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { StoredImage, StoredPicture } from '../../modules/pages/page-images.ts'
import type { PageRow } from '../../modules/pages/pages.store.ts'
import { IMAGE_WIDTHS, type ImageWidth } from '../../imaging/sizes/image-sizes.ts'
import { mediaPath } from '../media/media.site.ts'

/** The size of share previews that all networks accept. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

/** The width for browsers without `srcset`, if the picture is larger. */
const USUAL_WIDTH = 960

/** A stored picture in all its sizes. The original is included unless it is larger than any screen. */
const ownPicture = ({ hash, width, height }: StoredPicture, widths: readonly ImageWidth[]): Picture => {
  const smaller = widths
    .filter((each) => each < width)
    .map((each) => ({ src: mediaPath(hash, each), width: each }))
  const whole = { src: mediaPath(hash), width }
  const isLarge = width > Math.max(...widths)
  const usual = smaller.findLast((each) => each.width <= USUAL_WIDTH)
  return {
    src: (width > USUAL_WIDTH && usual?.src) || whole.src,
    width,
    height,
    candidates: smaller.length === 0 ? [] : isLarge ? smaller : [...smaller, whole],
  }
}

const WIDE = IMAGE_WIDTHS.filter((width) => width > 96)

const toPageImage = ({ id, status, title, picture, src }: StoredImage): PageImage => ({
  id,
  status,
  title,
  ...(picture === null ? { src: src ?? '' } : ownPicture(picture, WIDE)),
})

/** The widths in which a block shows its picture. */
const widthsOf = (type: PageConfig['buttons'][number]['type']): readonly ImageWidth[] =>
  type === 'image' || type === 'video' ? WIDE : type === 'contact' ? [96, 480] : [96]

/** Where a contact of a page is downloaded. */
export const contactPath = (slug: string, id: number): string => `${sites.page}/${slug}/${id}.vcf`

const toPageButton = ({ image, ...button }: PageConfig['buttons'][number], slug: string): PageButton => ({
  ...button,
  image:
    image === null
      ? null
      : 'src' in image
        ? { src: image.src }
        : ownPicture(image.picture, widthsOf(button.type)),
  file: button.type === 'contact' ? contactPath(slug, button.id) : null,
})

/** Everything that a stored page shows, for the renderer. */
export const viewOf = (row: PageRow, config: PageConfig, address: string, language: Language): PageView => ({
  lang: language,
  words: visitorTexts[language].page,
  uuid: row.uuid,
  address,
  title: row.title,
  subtext: row.subtext,
  logo: config.logo === null ? null : ownPicture(config.logo, [96, 480]),
  logoText: config.logoText,
  logoPosition: config.logoPosition,
  logoStatus: config.logoStatus,
  theme: config.theme,
  topShape: config.topShape,
  socialAlign: config.socialAlign,
  socialIcons: config.socialIcons,
  images: config.images.map(toPageImage),
  buttons: config.buttons.map((button) => toPageButton(button, row.slug)),
  icon: `${sites.preview}/${row.slug}.svg?v=${row.version}`,
  preview: { src: `${sites.preview}/${row.slug}.png?v=${row.version}`, ...PREVIEW_SIZE },
})
