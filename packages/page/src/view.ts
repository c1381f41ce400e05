/** The texts of a page that its owner does not write, in the language of the visitor. */
export interface PageWords {
  readonly links: string
  readonly networks: string
  readonly pictures: string
  readonly picture: string
  readonly previousPicture: string
  readonly nextPicture: string
  readonly saveContact: string
}

export const englishWords: PageWords = {
  links: 'Links',
  networks: 'Social networks',
  pictures: 'Pictures',
  picture: 'Picture',
  previousPicture: 'Previous picture',
  nextPicture: 'Next picture',
  saveContact: 'Save contact',
}

/** A picture on a page. */
export interface Picture {
  /** A path of this server (`/m/…`) or an external http(s) URL; anything else is not shown. */
  readonly src: string
  readonly width?: number | null
  readonly height?: number | null
  /** The same picture in other widths, for `srcset`. */
  readonly candidates?: readonly { readonly src: string; readonly width: number }[]
}

/** Position of the logo. */
export type LogoPosition = 'top-left' | 'top-right' | 'top-center' | 'bottom-left' | 'bottom-right'

/** The theme, under the names of the form schema. Colours are `#rrggbb`; absent and null mean a suitable default. */
export interface PageTheme {
  readonly bgColor?: string | null
  readonly bggradient?: readonly [string | null, string | null] | null
  readonly bodyBg?: string | null
  readonly textColor?: string | null
  readonly subTextColor?: string | null
  readonly buttonBgColor?: string | null
  readonly buttonTextColor?: string | null
  readonly logoBgColor?: string | null
  readonly socialIconColor?: string | null
  readonly borderWidth?: string | null
  readonly borderColor?: string | null
  readonly borderRadius?: string | null
  readonly boxShadow?: string | null
  /** One of the fonts of fonts.ts; anything else is the system's sans serif. */
  readonly font?: string | null
}

/** The content of a page. Strings need no escaping: the renderer treats all of them as text. */
export interface PageView {
  /** Identifies the page in reports of clicks; without it none are reported. */
  readonly uuid?: string | null
  /** The page's own address, for the canonical link and share previews. */
  readonly address?: string | null
  /** BCP 47, default `en`. */
  readonly lang?: string | null
  /** Texts of the page itself; English by default. */
  readonly words?: PageWords | null
  readonly title: string
  readonly subtext?: string | null
  readonly logo?: Picture | null
  readonly logoText?: string | null
  readonly logoPosition: LogoPosition
  /** 0 hides the logo. */
  readonly logoStatus?: number | null
  readonly theme?: PageTheme | null
  readonly topShape?: {
    readonly color?: string | null
    /** In pixels. */
    readonly height?: number | null
    readonly clip?: string | null
  } | null
  readonly socialAlign?: 'left' | 'center' | 'right' | null
  /** Clicks on an icon are reported by its index in this list. */
  readonly socialIcons?: readonly SocialIcon[] | null
  readonly images?: readonly PageImage[] | null
  readonly buttons: readonly PageButton[]
  /** The tab's icon if there is no logo: an SVG of this server. */
  readonly icon?: string | null
  /** The picture of share previews; by default the first picture of this server. */
  readonly preview?: Picture | null
}

/** A social icon: one of the five networks, or any other name for a generic icon. */
export interface SocialIcon {
  readonly name: string
  readonly link?: string | null
  readonly bg?: string | null
}

/** A picture of the page. Status 0 hides it. */
export interface PageImage extends Picture {
  readonly id: number
  readonly status?: number | null
  readonly title?: string | null
}

/** A button of the page. Status 0 hides it. */
export interface PageButton {
  readonly id: number
  readonly status?: number | null
  /** A link, or another block among the links. Default `link`. */
  readonly type?: 'link' | 'heading' | 'text' | 'divider' | 'image' | 'video' | 'contact' | null
  readonly label: string
  readonly url?: string | null
  /** Small in a button, wide as an image or video, round in a contact. */
  readonly image?: Picture | null
  readonly contact?: PageContact | null
  /** The path of this server where the contact is downloaded. */
  readonly file?: string | null
}

/** A person or organisation in a contact card. */
export type PageContact = Readonly<
  Partial<
    Record<
      | 'first_name'
      | 'last_name'
      | 'organisation'
      | 'title'
      | 'phone'
      | 'mobile'
      | 'email'
      | 'website'
      | 'street'
      | 'city'
      | 'postcode'
      | 'country'
      | 'note',
      string | null
    >
  >
>
