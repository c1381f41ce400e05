import sharp from 'sharp'

/** Hills under an evening sky: something to look at where a photograph would be. */
export interface Scene {
  readonly sky: readonly [string, string]
  readonly sun: string
  readonly hills: readonly string[]
  readonly seed: number
}

export const scenes: readonly Scene[] = [
  { sky: ['#ff9a76', '#ffe3b0'], sun: '#fff4d6', hills: ['#c76b6b', '#8a4a63', '#4a2c4f'], seed: 3 },
  { sky: ['#7fb7d8', '#e8f3ee'], sun: '#ffffff', hills: ['#7fae9a', '#4b8577', '#22534f'], seed: 8 },
  { sky: ['#2b2a55', '#b86b8b'], sun: '#ffd9c0', hills: ['#5a3d6e', '#38294f', '#1d1730'], seed: 14 },
]

const [WIDTH, HEIGHT] = [1600, 1200]

const ridge = (level: number, height: number, seed: number): string => {
  const points = Array.from({ length: 41 }, (_, at) => {
    const x = (at * WIDTH) / 40
    const wave =
      Math.sin(at * 0.21 * seed) + 0.5 * Math.sin(at * 0.47 + seed) + 0.22 * Math.sin(at * 1.1 * seed)
    return `${x} ${Math.round(level - wave * height)}`
  })
  return `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}z`
}

/** The scene as a JPEG of 1600 × 1200 pixels. */
export const paint = ({ sky, sun, hills, seed }: Scene): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="0.75" stop-color="${sky[1]}"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/>
<circle cx="${420 + seed * 50}" cy="${380 + seed * 8}" r="230" fill="${sun}" opacity="0.25"/>
<circle cx="${420 + seed * 50}" cy="${380 + seed * 8}" r="120" fill="${sun}"/>
${hills.map((color, at) => `<path d="${ridge(680 + at * 165, 85 - at * 12, (seed % 5) + at + 1)}" fill="${color}"/>`).join('')}
</svg>`),
  )
    .jpeg({ quality: 90 })
    .toBuffer()

/** A mark of two strokes on nothing, as logos are. */
export const logo = (color: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="0 0 32 32">
<path d="M4 25c4-13 8-17 12-17s8 4 12 17M9 25c2-6 4-9 7-9s5 3 7 9" fill="none" stroke="${color}" stroke-width="3" stroke-linecap="round"/></svg>`),
  )
    .png()
    .toBuffer()
