import { palettesOf } from '@waymark/page/palette'
import { gradientOf, type ThemeValues } from './themes.ts'

/** A theme as a miniature page in its colours: background, two lines of text, two buttons. */
export function Swatch({ theme }: { readonly theme: ThemeValues }) {
  const [{ body, box, text, subtext, button, buttonLine }] = palettesOf({
    ...theme.colors,
    ...theme.box,
    bggradient: gradientOf(theme),
  })
  const round = Math.min(6, Number.parseFloat(theme.box.borderRadius ?? '8'))
  const [from = '', to = from] = body
  const id = `ground-${from.slice(1)}-${to.slice(1)}`
  return (
    <svg aria-hidden viewBox="0 0 80 50" preserveAspectRatio="xMidYMid slice" className="block size-full">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0.5" y2="1">
          <stop offset="0" stopColor={from} />
          <stop offset="1" stopColor={to} />
        </linearGradient>
      </defs>
      <rect width="80" height="50" fill={`url(#${id})`} />
      {box.length > 0 && <rect x="12" y="5" width="56" height="50" rx="5" fill={box[0]} />}
      <rect x="28" y="9" width="24" height="4" rx="2" fill={text} />
      <rect x="22" y="16" width="36" height="2.5" rx="1.25" fill={subtext} />
      {[24, 36].map((y) => (
        <rect
          key={y}
          x="18"
          y={y}
          width="44"
          height="9"
          rx={round}
          fill={button}
          stroke={buttonLine}
          strokeWidth="0.5"
        />
      ))}
    </svg>
  )
}
