/** Whether a link with such an owner is the short link of a code: whoever opens it has scanned the code. */
export function isCode(ownerType: string | null): boolean {
  return ownerType === 'qrcode' || ownerType === 'barcode'
}
