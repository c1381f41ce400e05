export { CodeError } from './code-error.ts'
export type { CodeFault } from './code-error.ts'
export {
  CONTENT_NAMES,
  contentLabel,
  contentLevel,
  contentPayload,
  instantOf,
  type CodeContent,
} from './content.ts'
export { contrastRatio, hexColor } from './color.ts'
export { MIN_CONTRAST } from './judge-colors.ts'
export { judgeQr } from './judge-qr.ts'
export { EYE, EYE_STYLES, GROUND, INK, isPlain, QR_STYLES } from './picture.ts'
export type {
  EyeStyle,
  FrameFont,
  Grid,
  ModuleShape,
  Pattern,
  Picture,
  PlacedCaption,
  PlacedFrame,
  PlacedLogo,
  QrStyle,
} from './picture.ts'
export { drawQr, logoShareOf, MAX_LOGO_SHARE } from './qr.ts'
export type { QrFacts, QrOptions, QrPicture } from './qr.ts'
export { fitsQr, type QrLevel } from './qr-matrix.ts'
export { escapeXml, inkPaths, toSvg } from './svg.ts'
export type { InkPath } from './svg.ts'
export type { Paint } from './module-paths.ts'
