import type { FieldFaults } from '../../forms/invalid-input.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { contactOf } from './block-kinds.ts'
import type { ButtonValue } from './page-form.ts'
import { Thumbnail } from './thumbnail.tsx'

interface BlockProps {
  readonly button: ButtonValue
  readonly change: (part: Partial<ButtonValue>) => void
  /** Its place in the list, from 1. */
  readonly number: number
  readonly faults: FieldFaults
}

/** The fields of a button, or of a block between buttons. */
export function BlockFields(props: BlockProps) {
  const { button, change, number, faults } = props
  if (button.type === 'link') return <ButtonFields {...props} />
  if (button.type === 'divider')
    return (
      <div className="flex h-10 items-center gap-3 text-sm text-muted">
        Divider <span aria-hidden className="h-px flex-1 bg-line-strong" />
      </div>
    )
  const text = {
    hasHiddenLabel: true,
    value: button.label,
    onValue: (label: string) => change({ label }),
    faults: faults[`buttons.${number - 1}.label`],
  }
  return button.type === 'heading' ? (
    <TextField label={`Heading ${number}`} placeholder="Heading" {...text} />
  ) : (
    <TextArea label={`Text ${number}`} placeholder="Text" rows={2} {...text} />
  )
}

function ButtonFields({ button, change, number, faults }: BlockProps) {
  const at = `buttons.${number - 1}`
  const contact = contactOf(button.url)
  const prefix = contact?.prefix ?? ''
  return (
    <div className="flex items-start gap-2">
      <Thumbnail
        label={`Thumbnail of button ${number}`}
        image={button.image}
        onImage={(image) => change({ image })}
        icon={contact?.icon}
        faults={faults[`${at}.image`]}
      />
      <div className="grid min-w-0 flex-1 gap-2 sm:max-lg:grid-cols-2 2xl:grid-cols-2">
        <TextField
          label={`Label of button ${number}`}
          hasHiddenLabel
          placeholder="Label"
          value={button.label}
          onValue={(label) => change({ label })}
          faults={faults[`${at}.label`]}
        />
        <TextField
          label={`${contact?.target ?? 'URL'} of button ${number}`}
          hasHiddenLabel
          placeholder={contact?.placeholder ?? 'https://…'}
          type={contact === undefined ? 'url' : 'text'}
          value={button.url.slice(prefix.length)}
          onValue={(target) => change({ url: prefix + target })}
          faults={faults[`${at}.url`]}
        />
      </div>
    </div>
  )
}
