import type { EventType } from '@waymark/contract'

/** Display names of the resources that have events. */
export const resourceNames: Readonly<Record<string, string>> = {
  link: 'Links',
  qrcode: 'QR codes',
  barcode: 'Barcodes',
  page: 'Pages',
  utm: 'UTM links',
}

const changeNames: Readonly<Record<string, string>> = {
  created: 'created',
  edited: 'edited',
  removed: 'removed',
  clicked: 'clicked',
}

/** What happens to it. */
export const changeName = (type: EventType): string => changeNames[type.split('.')[1] ?? ''] ?? type
