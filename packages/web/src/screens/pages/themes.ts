import type { PageTheme } from '@waymark/sdk'

const colorNames = [
  'bgColor',
  'bodyBg',
  'textColor',
  'subTextColor',
  'buttonBgColor',
  'buttonTextColor',
  'logoBgColor',
  'socialIconColor',
  'borderColor',
] as const
export type ColorName = (typeof colorNames)[number]

const boxNames = ['borderWidth', 'borderRadius', 'boxShadow'] as const
export type BoxName = (typeof boxNames)[number]

/** A theme in the builder. Null: the page uses a default. */
export interface ThemeValues {
  readonly colors: Readonly<Record<ColorName, string | null>>
  readonly box: Readonly<Record<BoxName, string | null>>
  readonly gradient: readonly [string | null, string | null]
  readonly font: PageTheme['font']
}

const record = <K extends string>(
  names: readonly K[],
  read: (name: K) => string | null,
): Record<K, string | null> =>
  Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, string | null>

const theme = (
  colors: Partial<Record<ColorName, string>>,
  more: {
    gradient?: [string, string]
    box?: Partial<Record<BoxName, string>>
    font?: ThemeValues['font']
  } = {},
): ThemeValues => ({
  colors: record(colorNames, (name) => colors[name] ?? null),
  box: record(boxNames, (name) => more.box?.[name] ?? null),
  gradient: more.gradient ?? [null, null],
  font: more.font ?? null,
})

export const emptyTheme = theme({})

/** The theme of a saved page. */
export const themeOf = (saved: PageTheme): ThemeValues => ({
  colors: record(colorNames, (name) => saved[name]),
  box: record(boxNames, (name) => saved[name]),
  gradient: saved.bggradient ?? [null, null],
  font: saved.font,
})

/** Both ends of the gradient; a single one is a plain background. */
export const gradientOf = ({ gradient: [from, to] }: ThemeValues): [string | null, string | null] => [
  from ?? to,
  to ?? from,
]

/** The colours and font of a brand kit; the page chooses readable defaults for the rest, above all for texts. */
export const brandTheme = (kit: {
  readonly color: string | null
  readonly accent: string | null
  readonly background: string | null
  readonly font: ThemeValues['font']
}): Pick<ThemeValues, 'colors' | 'gradient'> & Partial<Pick<ThemeValues, 'font'>> => ({
  ...(kit.font !== null && { font: kit.font }),
  colors: record(
    colorNames,
    (name) =>
      ({ bgColor: kit.background, buttonBgColor: kit.color, socialIconColor: kit.accent })[name as string] ??
      null,
  ),
  gradient: [null, null],
})

/** Built-in themes. Each pair of colours meets WCAG AA contrast. */
export const presets: readonly { name: string; theme: ThemeValues }[] = [
  { name: 'Automatic', theme: emptyTheme },
  {
    name: 'Trail sign',
    theme: theme(
      {
        bgColor: '#0b4638',
        textColor: '#ffffff',
        subTextColor: '#cfe3da',
        buttonBgColor: '#ffc52e',
        buttonTextColor: '#241d02',
        socialIconColor: '#ffffff',
      },
      { box: { borderRadius: '6px' }, font: 'overpass' },
    ),
  },
  {
    name: 'Paper',
    theme: theme(
      {
        bgColor: '#faf7f0',
        textColor: '#2b2620',
        subTextColor: '#6a6055',
        buttonBgColor: '#2b2620',
        buttonTextColor: '#faf7f0',
        socialIconColor: '#2b2620',
      },
      { box: { borderRadius: '2px' }, font: 'serif' },
    ),
  },
  {
    name: 'Dawn',
    theme: theme(
      {
        textColor: '#3a1526',
        subTextColor: '#5f2f43',
        buttonBgColor: '#3a1526',
        buttonTextColor: '#ffe9dc',
        socialIconColor: '#3a1526',
      },
      { gradient: ['#ffd9a8', '#ffb3c1'], box: { borderRadius: '999px' } },
    ),
  },
  {
    name: 'Lake',
    theme: theme(
      {
        textColor: '#ffffff',
        subTextColor: '#dcebf7',
        buttonBgColor: '#ffffff',
        buttonTextColor: '#0c3b63',
        socialIconColor: '#ffffff',
      },
      { gradient: ['#0c3b63', '#156179'], box: { borderRadius: '14px' } },
    ),
  },
  {
    name: 'Night',
    theme: theme(
      {
        bgColor: '#0c0d12',
        textColor: '#f5f5f7',
        subTextColor: '#a2a3b1',
        buttonBgColor: '#20222d',
        buttonTextColor: '#f5f5f7',
        socialIconColor: '#f5f5f7',
      },
      { box: { borderRadius: '14px' } },
    ),
  },
  {
    name: 'Meadow',
    theme: theme(
      {
        bodyBg: '#dfeecf',
        bgColor: '#ffffff',
        textColor: '#1f3315',
        subTextColor: '#51653f',
        buttonBgColor: '#3f7d20',
        buttonTextColor: '#ffffff',
        socialIconColor: '#2f6016',
        borderColor: '#c3dba9',
      },
      {
        box: {
          borderWidth: '1px',
          borderRadius: '22px',
          boxShadow: '0 18px 50px -20px rgba(31, 51, 21, 0.35)',
        },
      },
    ),
  },
  {
    name: 'Bold',
    theme: theme(
      {
        bgColor: '#ff5a36',
        textColor: '#1c0700',
        subTextColor: '#3d1206',
        buttonBgColor: '#1c0700',
        buttonTextColor: '#ffffff',
        socialIconColor: '#1c0700',
      },
      { box: { borderRadius: '0' } },
    ),
  },
]
