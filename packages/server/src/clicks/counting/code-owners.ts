/** Whether a link with such an owner is the short link of a code: a visit of it is a scan. */
export function isCode(ownerType: string | null): boolean {
  return ownerType === 'qrcode' || ownerType === 'barcode'
}
