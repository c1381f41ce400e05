import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../../../scripts/services/chromium.ts'

/** A real Chromium that stays quiet on the network. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
