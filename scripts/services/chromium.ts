import { type Browser, chromium } from 'playwright-core'
import { needProgram } from './programs.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Custom domains of tests are served by this machine.
  '--host-resolver-rules=MAP *.example.test 127.0.0.1',
]

/** The path of a Chromium that playwright-core can drive. */
export function findChromium(): Promise<string> {
  return needProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], 'chromium')
}

/** A real Chromium, without a window, that stays quiet on the network. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: FLAGS })
}
