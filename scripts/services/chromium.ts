import { type Browser, chromium } from 'playwright-core'
import { needProgram } from './programs.ts'

/** Chromium uses only the last list that it is given. */
const DISABLED_FEATURES = [
  // Suggestions of the address bar, which need two renderers per window and are not tested.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // The list of playwright-core, which ours replaces.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
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
