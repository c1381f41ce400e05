const REGIONAL_A = 0x1f1e6
const LETTER_A = 65

/** The letters of a country code as a flag, if the font has one. */
export const flagOf = (code: string): string =>
  String.fromCodePoint(
    ...Array.from(code.toUpperCase(), (letter) => letter.charCodeAt(0) + REGIONAL_A - LETTER_A),
  )

let known: boolean | undefined

/** Whether this browser draws flags in colour. Windows draws two letters, and systems without emoji draw boxes. */
export const hasFlags = (): boolean => {
  known ??= drawsColour('🇳🇱')
  return known
}

function drawsColour(text: string): boolean {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (context === null) return false
  context.font = '24px sans-serif'
  context.fillText(text, 0, 24)
  const { data } = context.getImageData(0, 0, 40, 32)
  for (let at = 0; at < data.length; at += 4) if (data[at] !== data[at + 2]) return true
  return false
}
