import { keepFocus } from './focus-keeper.ts'

/* What the first screen can do without, so that it loads sooner. */

keepFocus()

const forcedColors = matchMedia('(forced-colors: active)')
const styleForcedColors = (): void => {
  if (forcedColors.matches) void import('../styles/forced.css')
}
styleForcedColors()
forcedColors.addEventListener('change', styleForcedColors)
