// Publishes the pages of e2e/support/showcase.ts on a real server and takes their pictures for docs/images.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { publish } from '../e2e/support/showcase.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { launchBrowser } from './services/chromium.ts'

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/images', import.meta.url))
const shots = [
  ['bare', 'phone', 'light'],
  ['bare', 'phone', 'dark'],
  ['bare', 'desktop', 'light'],
  ['bare', 'desktop', 'dark'],
  ['hero', 'phone', 'light'],
  ['hero', 'phone', 'dark'],
  ['hero', 'desktop', 'light'],
  ['full', 'phone', 'light'],
  ['full', 'desktop', 'light'],
  ['gallery', 'phone', 'dark'],
  ['gallery', 'desktop', 'dark'],
] as const
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

mkdirSync(folder, { recursive: true })
const waymark = await startWaymark()
const browser = await launchBrowser()
try {
  const account = await waymark.account()
  const addresses = new Map<string, string>()
  for (const [name, size, colorScheme] of shots) {
    if (!addresses.has(name)) addresses.set(name, await publish(waymark, account, name))
    const context = await browser.newContext({ viewport: sizes[size], colorScheme, deviceScaleFactor: 2 })
    const page = await context.newPage()
    await page.goto(addresses.get(name) ?? '', { waitUntil: 'networkidle' })
    // A window as high as the page, so that elements fixed to the window cover all of it.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ width: sizes[size].width, height })
    const png = await page.screenshot()
    await sharp(png)
      .resize({ width: size === 'phone' ? 585 : 1280 })
      .webp({ quality: 80 })
      .toFile(`${folder}/page-${name}-${size}-${colorScheme}.webp`)
    await context.close()
  }
  const preview = await fetch(`${waymark.url}/o/full.png`)
  await sharp(Buffer.from(await preview.arrayBuffer()))
    .resize({ width: 800 })
    .webp({ quality: 80 })
    .toFile(`${folder}/page-full-share-preview.webp`)
} finally {
  await browser.close()
  await waymark.stop()
}
