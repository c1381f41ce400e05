import { createClient } from '@waymark/sdk'
import sharp from 'sharp'

export interface SmokeAccount {
  readonly api_key: string
  readonly secret: string
}

/** Uses every large part of a running server once; throws at the first failure. Returns the results. */
export async function smokeTest(url: string, account: SmokeAccount): Promise<string[][]> {
  const waymark = createClient({ baseUrl: url, apiKey: account.api_key, secret: account.secret })
  const seen: string[][] = []
  const see = (what: string, found: unknown, expected: unknown): void => {
    if (found !== expected) throw new Error(`${what}: ${String(found)}, not ${String(expected)}`)
    seen.push([what, String(found)])
  }
  const { data: link } = await waymark.generateLink({ link: 'https://example.com/smoke' })
  const redirect = await fetch(link.short_url, { redirect: 'manual' })
  see('redirect', redirect.headers.get('location'), 'https://example.com/smoke')
  const { data: code } = await waymark.generateQr({ url: link.short_url, pattern: 'dots' })
  see('warnings of the QR code', code.warnings.length, 0)
  const picture = await fetch(code.image_url)
  const { format } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
  see('picture', format, 'png')
  for (const path of ['/app/', '/docs', '/openapi.json', '/readyz'])
    see(path, (await fetch(url + path)).status, 200)
  const { data: invoice } = await waymark.downloadInvoice()
  const pdf = await fetch(invoice.pdf_url)
  see('invoice', Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
  return seen
}
