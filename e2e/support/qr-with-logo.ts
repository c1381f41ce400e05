import sharp from 'sharp'
import { multipart, post } from './requests.ts'
import type { Account, Waymark } from './waymark.ts'

/** Creates a QR code with a logo that no other has. */
export const qrWithLogo = async (node: Waymark, account: Account) => {
  const background = { r: Math.floor(Math.random() * 256), g: Date.now() % 256, b: 7 }
  const value = await sharp({ create: { width: 24, height: 24, channels: 3, background } })
    .png()
    .toBuffer()
  return post(
    node,
    account,
    '/v1/generate-qr',
    multipart([
      { name: 'url', value: 'https://example.com/scan' },
      { name: 'description', value: 'a logo' },
      { name: 'pattern', value: 'squares' },
      { name: 'logo', value, filename: 'logo.png', type: 'image/png' },
    ]),
  )
}
