import type { ThemeValues } from './themes.ts'

/** A theme as a small page: ground, two lines of text, two buttons. */
export function Swatch({ theme: { colors, gradient, box } }: { readonly theme: ThemeValues }) {
  const ground = gradient[0] ?? colors.bgColor ?? '#f6f4ef'
  const text = colors.textColor ?? '#15151b'
  const button = colors.buttonBgColor ?? '#ffffff'
  const round = Math.min(6, Number.parseFloat(box.borderRadius ?? '8'))
  const id = `ground-${ground.slice(1)}-${(gradient[1] ?? '').slice(1)}`
  return (
    <svg aria-hidden viewBox="0 0 80 50" preserveAspectRatio="xMidYMid slice" className="block size-full">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0.5" y2="1">
          <stop offset="0" stopColor={ground} />
          <stop offset="1" stopColor={gradient[1] ?? ground} />
        </linearGradient>
      </defs>
      <rect width="80" height="50" fill={colors.bodyBg ?? `url(#${id})`} />
      {colors.bodyBg !== null && <rect x="12" y="5" width="56" height="50" rx="5" fill={ground} />}
      <rect x="28" y="9" width="24" height="4" rx="2" fill={text} />
      <rect x="22" y="16" width="36" height="2.5" rx="1.25" fill={colors.subTextColor ?? '#5d5b66'} />
      {[24, 36].map((y) => (
        <rect key={y} x="18" y={y} width="44" height="9" rx={round} fill={button} />
      ))}
    </svg>
  )
}
