import type { OperationName } from '@waymark/contract'
import { CONTENT_TYPES } from '@waymark/contract/schemas'

type Verb = 'create' | 'list' | 'edit' | 'remove'

/** The commands of a resource, each for an operation of the table. */
export interface Resource {
  /** Its name on the command line. */
  readonly name: string
  readonly noun: string
  readonly operations: Readonly<Record<Verb, OperationName>> & { readonly stats?: OperationName }
  /** The field that `create` takes as an argument. */
  readonly argument: string
  /** Default values for fields that the contract requires in `create`. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** The columns of `list`. */
  readonly columns: readonly string[]
  /** Whether its picture can be saved. */
  readonly hasPicture?: true
  /** The types of its content, each an option: `--wifi ssid=Guests password=secret`. */
  readonly contents?: readonly string[]
  /** Whether `create` can be omitted: `waymark qr URL`. */
  readonly createsByDefault?: true
  readonly examples: Readonly<Record<Verb, readonly string[]>>
}

export const resources: readonly Resource[] = [
  {
    name: 'link',
    noun: 'short link',
    operations: {
      create: 'generateLink',
      list: 'links',
      edit: 'editLinks',
      remove: 'removeLinks',
      stats: 'analytics',
    },
    argument: 'link',
    columns: ['short_url', 'link', 'clicks', 'title'],
    examples: {
      create: [
        'waymark link create https://example.com/spring --custom-link spring --tags shop,sale',
        'waymark link create https://example.com --expire 2027-01-01 --max-clicks 100 --json',
      ],
      list: ['waymark link list --tag shop --sort clicks', 'waymark link list --all --json'],
      edit: ['waymark link edit spring --title "Spring catalogue"', 'waymark link edit spring --expire null'],
      remove: ['waymark link remove spring', 'waymark link remove spring summer --permanent'],
    },
  },
  {
    name: 'qr',
    noun: 'QR code',
    operations: { create: 'generateQr', list: 'qrcodes', edit: 'editQr', remove: 'removeQr' },
    argument: 'url',
    defaults: { pattern: 'squares' },
    columns: ['uuid', 'encodes', 'scans', 'description'],
    hasPicture: true,
    contents: CONTENT_TYPES,
    createsByDefault: true,
    examples: {
      create: [
        'waymark qr https://example.com/menu --out menu.svg',
        'waymark qr --wifi ssid=Guests password=correct-horse --out wifi.svg',
        'waymark qr --contact first_name=Ada last_name=Lovelace email=ada@example.com --out ada.png',
        'waymark qr create https://example.com/menu --dynamic --logo logo.png --color "#1a4dd0" --out menu.png',
      ],
      list: ['waymark qr list --search menu'],
      edit: ['waymark qr edit UUID --color "#1a4dd0" --out menu.png'],
      remove: ['waymark qr remove UUID'],
    },
  },
  {
    name: 'barcode',
    noun: 'barcode',
    operations: { create: 'generateBarcode', list: 'barcodes', edit: 'editBarcode', remove: 'removeBarcode' },
    argument: 'url',
    columns: ['uuid', 'encodes', 'symbology', 'scans', 'description'],
    hasPicture: true,
    createsByDefault: true,
    examples: {
      create: [
        'waymark barcode --value 4006381333931 --symbology ean13 --out product.svg',
        'waymark barcode create https://example.com/t4 --symbology datamatrix --out table.png',
      ],
      list: ['waymark barcode list'],
      edit: ['waymark barcode edit UUID --text "Table 4" --out table.png'],
      remove: ['waymark barcode remove UUID'],
    },
  },
  {
    name: 'page',
    noun: 'page',
    operations: { create: 'generatePage', list: 'pages', edit: 'editPage', remove: 'removePage' },
    argument: 'slug',
    defaults: { logoPosition: 'top-center' },
    columns: ['uuid', 'page_url', 'title', 'views'],
    examples: {
      create: [
        `waymark page create band --title "The band" --images cover.jpg --buttons '[{"label":"Tickets","url":"https://example.com"}]'`,
        'waymark page create band --input page.json',
      ],
      list: ['waymark page list'],
      edit: ['waymark page edit UUID --title "On tour"'],
      remove: ['waymark page remove UUID'],
    },
  },
  {
    name: 'utm',
    noun: 'UTM link',
    operations: { create: 'generateUtm', list: 'utmLinks', edit: 'editUtm', remove: 'removeUtm' },
    argument: 'url',
    columns: ['uuid', 'utm_url', 'short_url'],
    createsByDefault: true,
    examples: {
      create: [
        'waymark utm https://example.com --source newsletter --medium email --campaign spring --content button --shorten',
      ],
      list: ['waymark utm list --search newsletter'],
      edit: ['waymark utm edit UUID --campaign summer'],
      remove: ['waymark utm remove UUID'],
    },
  },
  {
    name: 'webhook',
    noun: 'webhook',
    operations: { create: 'addWebhook', list: 'webhooks', edit: 'editWebhook', remove: 'removeWebhook' },
    argument: 'url',
    columns: ['uuid', 'url', 'enabled', 'description'],
    examples: {
      create: ['waymark webhook create https://example.com/hook --events link.created,link.edited'],
      list: ['waymark webhook list'],
      edit: ['waymark webhook edit UUID --enabled false'],
      remove: ['waymark webhook remove UUID'],
    },
  },
]
