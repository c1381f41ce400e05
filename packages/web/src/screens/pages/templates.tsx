import { fontFamily } from '@waymark/page'
import type { ReactNode } from 'react'
import { Card } from '../../ui/screen.tsx'
import { blankButton, type ButtonValue, type PageFormState, slugOf } from './page-form.ts'
import { presets, type ThemeValues } from './themes.ts'

interface Template {
  readonly name: string
  readonly title: string
  readonly subtext: string
  readonly theme: ThemeValues
  readonly blocks: readonly (readonly [
    type: ButtonValue['type'],
    label: string,
    contact?: ButtonValue['contact'],
  ])[]
}

const themeNamed = (name: string): ThemeValues => {
  const preset = presets.find((each) => each.name === name)
  if (preset === undefined) throw new Error(`There is no theme ${name}`)
  return preset.theme
}

const templates: readonly Template[] = [
  {
    name: 'Links',
    title: 'Ada Lovelace',
    subtext: 'Notes on engines and poetry',
    theme: themeNamed('Dawn'),
    blocks: [
      ['link', 'My newsletter'],
      ['link', 'Latest talk'],
      ['link', 'Shop'],
    ],
  },
  {
    name: 'Restaurant',
    title: 'The Old Mill',
    subtext: 'Open Tuesday to Sunday, 12 to 22',
    theme: themeNamed('Paper'),
    blocks: [
      ['link', 'Menu'],
      ['link', 'Book a table'],
      [
        'contact',
        '',
        {
          organisation: 'The Old Mill',
          phone: '+44 1632 960001',
          street: '4 Mill Lane',
          city: 'Riverton',
        },
      ],
    ],
  },
  {
    name: 'Event',
    title: 'River Festival',
    subtext: '12 to 14 June',
    theme: themeNamed('Trail sign'),
    blocks: [
      ['link', 'Tickets'],
      ['link', 'Programme'],
      ['link', 'How to get there'],
    ],
  },
  {
    name: 'Shop',
    title: 'Hill Ceramics',
    subtext: 'Made by hand, sent everywhere',
    theme: themeNamed('Meadow'),
    blocks: [
      ['image', 'New this week'],
      ['link', 'All cups and bowls'],
      ['link', 'Ask us'],
    ],
  },
  {
    name: 'Product',
    title: 'Meet the Field Lamp',
    subtext: 'Light for 40 hours, from one charge',
    theme: themeNamed('Night'),
    blocks: [
      ['video', 'See it at night'],
      ['link', 'Order now'],
      ['link', 'Manual'],
    ],
  },
  {
    name: 'Organisation',
    title: 'Lake Rescue',
    subtext: 'Volunteers since 1954',
    theme: themeNamed('Lake'),
    blocks: [
      ['link', 'Donate'],
      ['link', 'Join us'],
      ['heading', 'In an emergency'],
      ['text', 'Call the emergency number first'],
    ],
  },
]

const buttonsOf = ({ blocks }: Template): ButtonValue[] =>
  blocks.map(([type, label, contact = {}], at) => ({
    ...blankButton,
    key: `id-${at + 1}`,
    id: at + 1,
    type,
    label,
    contact,
  }))

/** Page templates: texts, blocks and a theme, each with a drawing of the result. */
export function Templates({ form }: { readonly form: PageFormState }) {
  const choose = (template: Template): void =>
    form.setValues((before) => ({
      ...before,
      title: template.title,
      subtext: template.subtext,
      slug: slugOf(template.title),
      theme: template.theme,
      buttons: buttonsOf(template),
    }))
  return (
    <Card title="Begin with a template" lead="It replaces title, description, blocks and theme.">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {templates.map((template) => (
          <li key={template.name}>
            <button
              type="button"
              onClick={() => choose(template)}
              className="w-full overflow-hidden rounded-lg border border-line-strong text-left transition-colors hover:border-brand"
            >
              <TemplatePicture template={template} />
              <span className="block truncate px-2.5 pt-1.5 pb-1 text-sm font-semibold">{template.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The height of a block in the picture of a template, with the space below it. */
const HEIGHTS: Readonly<Record<ButtonValue['type'], number>> = {
  link: 17,
  heading: 13,
  text: 13,
  divider: 13,
  image: 38,
  video: 38,
  contact: 38,
}

function TemplatePicture({ template }: { readonly template: Template }) {
  const { colors, gradient, font } = template.theme
  const ground = gradient[0] ?? colors.bgColor ?? '#f6f4ef'
  const text = colors.textColor ?? '#15151b'
  const id = `template-${template.name}`
  const tops = template.blocks.map((_, at) =>
    template.blocks.slice(0, at).reduce((sum, [type]) => sum + HEIGHTS[type], 39),
  )
  return (
    <svg aria-hidden viewBox="0 0 120 112" fontFamily={fontFamily(font)} className="block w-full">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0.5" y2="1">
          <stop offset="0" stopColor={ground} />
          <stop offset="1" stopColor={gradient[1] ?? ground} />
        </linearGradient>
      </defs>
      <rect width="120" height="112" fill={colors.bodyBg ?? `url(#${id})`} />
      {colors.bodyBg !== null && <rect x="8" y="6" width="104" height="112" rx="6" fill={ground} />}
      <Line y={22} size={8.5} weight={700} fill={text}>
        {template.title}
      </Line>
      <Line y={32} size={5} fill={colors.subTextColor ?? text}>
        {template.subtext}
      </Line>
      {template.blocks.map((block, at) => (
        <BlockPicture key={tops[at]} block={block} y={tops[at] ?? 0} theme={template.theme} />
      ))}
    </svg>
  )
}

/** A centred line of text. */
function Line({
  y,
  size,
  weight = 400,
  fill,
  children,
}: {
  readonly y: number
  readonly size: number
  readonly weight?: number
  readonly fill: string
  readonly children: ReactNode
}) {
  return (
    <text x="60" y={y} textAnchor="middle" fontSize={size} fontWeight={weight} fill={fill}>
      {children}
    </text>
  )
}

function BlockPicture({
  block: [type, label, contact],
  y,
  theme: { colors, box },
}: {
  readonly block: Template['blocks'][number]
  readonly y: number
  readonly theme: ThemeValues
}) {
  const text = colors.textColor ?? '#15151b'
  const muted = colors.subTextColor ?? text
  const round = Math.min(6.5, Number.parseFloat(box.borderRadius ?? '8'))
  const button = colors.buttonBgColor ?? '#ffffff'
  const ink = colors.buttonTextColor ?? text
  if (type === 'divider')
    return <rect x="50" y={y + 6} width="20" height="1" fill={colors.borderColor ?? muted} />
  if (type === 'heading' || type === 'text')
    return (
      <Line
        y={y + 8}
        size={type === 'heading' ? 6.5 : 5}
        weight={type === 'heading' ? 700 : 400}
        fill={type === 'heading' ? text : muted}
      >
        {label}
      </Line>
    )
  if (type === 'link')
    return (
      <>
        <rect x="18" y={y} width="84" height="13" rx={round} fill={button} />
        <Line y={y + 8.5} size={5.5} weight={600} fill={ink}>
          {label}
        </Line>
      </>
    )
  if (type === 'contact')
    return (
      <>
        <rect x="18" y={y} width="84" height="34" rx={round} fill="none" stroke={muted} strokeWidth="0.5" />
        <Line y={y + 9} size={6} weight={700} fill={text}>
          {contact?.['organisation']}
        </Line>
        <Line y={y + 16} size={4.5} fill={muted}>
          {contact?.['phone']}
        </Line>
        <rect x="24" y={y + 20} width="72" height="10" rx={round} fill={button} />
        <Line y={y + 26.8} size={5} weight={600} fill={ink}>
          Save contact
        </Line>
      </>
    )
  return (
    <>
      <rect x="18" y={y} width="84" height="26" rx="4" fill={muted} opacity="0.35" />
      {type === 'video' && (
        <>
          <circle cx="60" cy={y + 13} r="6" fill={button} />
          <path d={`M58 ${y + 10}v6l5-3z`} fill={ink} />
        </>
      )}
      <Line y={y + 33} size={5} weight={type === 'video' ? 600 : 400} fill={type === 'video' ? text : muted}>
        {label}
      </Line>
    </>
  )
}
