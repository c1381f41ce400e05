export type { RenderOptions } from './addresses.ts'
export { CLICK_SCRIPT, CLICK_SCRIPT_PATH } from './click-script.ts'
export { contrast } from './colors.ts'
export { FONT_PATH, fontFaces, fontFamily, type PageFont } from './fonts.ts'
export { networks } from './marks.ts'
export { escapeHtml } from './markup.ts'
export { palettesOf, type Palette } from './palette.ts'
export { renderPage, type RenderedPage } from './page.ts'
export type {
  LogoPosition,
  PageButton,
  PageContact,
  PageImage,
  PageTheme,
  PageView,
  PageWords,
  Picture,
  SocialIcon,
} from './view.ts'
