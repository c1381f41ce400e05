import { needProgram } from './programs.ts'

/** The path of a Chromium that playwright-core can drive. */
export function findChromium(): Promise<string> {
  return needProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], 'chromium')
}
