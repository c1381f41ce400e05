import { Card } from '../../ui/screen.tsx'
import { type ButtonValue, type PageFormState, slugOf } from './page-form.ts'
import { presets, type ThemeValues } from './themes.ts'

interface Template {
  readonly name: string
  readonly title: string
  readonly subtext: string
  readonly theme: ThemeValues
  readonly blocks: readonly (readonly [type: ButtonValue['type'], label: string])[]
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
      ['heading', 'Find us'],
      ['text', '4 Mill Lane, by the river'],
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
    title: 'North Street Ceramics',
    subtext: 'Made by hand, sent everywhere',
    theme: themeNamed('Meadow'),
    blocks: [
      ['link', 'New this week'],
      ['link', 'All cups and bowls'],
      ['divider', ''],
      ['link', 'Ask us'],
    ],
  },
  {
    name: 'Product',
    title: 'Meet the Field Lamp',
    subtext: 'Light for 40 hours, from one charge',
    theme: themeNamed('Night'),
    blocks: [
      ['link', 'Order now'],
      ['link', 'Manual'],
      ['link', 'Support'],
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
  blocks.map(([type, label], at) => ({
    key: `id-${at + 1}`,
    id: at + 1,
    label,
    url: '',
    isShown: true,
    type,
    image: null,
  }))

/** Pages to begin with: texts, blocks and a theme, each drawn as what it makes. */
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

const ROW = 17

function TemplatePicture({ template }: { readonly template: Template }) {
  const { colors, gradient, box } = template.theme
  const ground = gradient[0] ?? colors.bgColor ?? '#f6f4ef'
  const text = colors.textColor ?? '#15151b'
  const muted = colors.subTextColor ?? text
  const round = Math.min(6.5, Number.parseFloat(box.borderRadius ?? '8'))
  const id = `template-${template.name}`
  return (
    <svg aria-hidden viewBox="0 0 120 112" className="block w-full">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0.5" y2="1">
          <stop offset="0" stopColor={ground} />
          <stop offset="1" stopColor={gradient[1] ?? ground} />
        </linearGradient>
      </defs>
      <rect width="120" height="112" fill={colors.bodyBg ?? `url(#${id})`} />
      {colors.bodyBg !== null && <rect x="8" y="6" width="104" height="112" rx="6" fill={ground} />}
      <text x="60" y="22" textAnchor="middle" fontSize="8.5" fontWeight="700" fill={text}>
        {template.title}
      </text>
      <text x="60" y="32" textAnchor="middle" fontSize="5" fill={muted}>
        {template.subtext}
      </text>
      {template.blocks.map(([type, label], at) => {
        const y = 39 + at * ROW
        if (type === 'divider')
          return <rect key={y} x="50" y={y + 6} width="20" height="1" fill={colors.borderColor ?? muted} />
        if (type !== 'link')
          return (
            <text
              key={y}
              x="60"
              y={y + 9}
              textAnchor="middle"
              fontSize={type === 'heading' ? 6.5 : 5}
              fontWeight={type === 'heading' ? 700 : 400}
              fill={type === 'heading' ? text : muted}
            >
              {label}
            </text>
          )
        return (
          <g key={y}>
            <rect x="18" y={y} width="84" height="13" rx={round} fill={colors.buttonBgColor ?? '#ffffff'} />
            <text
              x="60"
              y={y + 8.5}
              textAnchor="middle"
              fontSize="5.5"
              fontWeight="600"
              fill={colors.buttonTextColor ?? text}
            >
              {label}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
