import type { EventType } from '@waymark/contract'

/** What can change, as people call it. */
export const resourceNames: Readonly<Record<string, string>> = {
  link: 'Links',
  qrcode: 'QR codes',
  barcode: 'Barcodes',
  page: 'Pages',
  utm: 'UTM links',
}

const changeNames: Readonly<Record<string, string>> = {
  created: 'made',
  edited: 'edited',
  removed: 'removed',
}

/** What happens to it. */
export const changeName = (type: EventType): string => changeNames[type.split('.')[1] ?? ''] ?? type
