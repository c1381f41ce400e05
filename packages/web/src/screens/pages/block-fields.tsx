import type { FieldFaults } from '../../forms/invalid-input.ts'
import { IMAGE_TYPES, pickFile } from '../../forms/picked-files.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Fold } from '../../ui/fold.tsx'
import { CONTENT_FIELDS } from '../codes/content-form.ts'
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
  if (button.type === 'image' || button.type === 'video') return <PictureFields {...props} />
  if (button.type === 'contact') return <ContactFields {...props} />
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

const pictureWords = {
  image: {
    caption: 'Caption',
    captionHint: 'Caption, also used as alternative text',
    url: 'Link (optional)',
  },
  video: { caption: 'Title', captionHint: 'Title of the video', url: 'https://…' },
}

/** A picture, or a picture that links to a video. */
function PictureFields({ button, change, number, faults }: BlockProps) {
  const at = `buttons.${number - 1}`
  const kind = button.type === 'video' ? 'video' : 'image'
  const words = pictureWords[kind]
  return (
    <div className="space-y-2">
      <FileDrop
        label={`Picture of ${kind} ${number}`}
        hasHiddenLabel
        accept={IMAGE_TYPES}
        prompt={kind === 'video' ? 'Video: drop a picture of it here, or' : 'Drop an image here, or'}
        preview={button.image}
        onFile={(files) => change({ image: files?.[0] === undefined ? null : pickFile(files[0]) })}
        faults={faults[`${at}.image`]}
      />
      <div className="grid gap-2 sm:max-lg:grid-cols-2 2xl:grid-cols-2">
        <TextField
          label={`${words.caption} of ${kind} ${number}`}
          hasHiddenLabel
          placeholder={words.captionHint}
          value={button.label}
          onValue={(label) => change({ label })}
          faults={faults[`${at}.label`]}
        />
        <TextField
          label={`URL of ${kind} ${number}`}
          hasHiddenLabel
          type="url"
          placeholder={words.url}
          value={button.url}
          onValue={(url) => change({ url })}
          faults={faults[`${at}.url`]}
        />
      </div>
    </div>
  )
}

const FOLDED: ReadonlySet<string> = new Set(['street', 'city', 'postcode', 'country', 'note'])

/** A contact card that visitors can read and save as a file. */
function ContactFields({ button, change, number, faults }: BlockProps) {
  const at = `buttons.${number - 1}`
  const { contact } = button
  const field = ({ name, label, kind, ...texts }: (typeof CONTENT_FIELDS)['contact'][number]) => {
    const props = {
      label,
      isOptional: true,
      value: contact[name] ?? '',
      onValue: (value: string) => change({ contact: { ...contact, [name]: value } }),
      faults: faults[`${at}.contact.${name}`],
      ...texts,
    }
    return kind === 'block' ? (
      <TextArea key={name} className="sm:col-span-2" rows={2} {...props} />
    ) : (
      <TextField
        key={name}
        type={kind === 'tel' || kind === 'email' || kind === 'url' ? kind : 'text'}
        autoComplete="off"
        {...props}
      />
    )
  }
  const folded = CONTENT_FIELDS.contact.filter(({ name }) => FOLDED.has(name))
  const isFilled = folded.some(({ name }) => (contact[name] ?? '') !== '')
  const isFaulty = folded.some(({ name }) => faults[`${at}.contact.${name}`] !== undefined)
  return (
    <fieldset aria-label={`Contact ${number}`} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {CONTENT_FIELDS.contact.filter(({ name }) => !FOLDED.has(name)).map(field)}
      </div>
      <Fold title="Address and note" isOpen={isFilled || isFaulty}>
        <div className="grid gap-4 sm:grid-cols-2">{folded.map(field)}</div>
      </Fold>
      <FileDrop
        label={`Photo of contact ${number}`}
        isOptional
        accept={IMAGE_TYPES}
        preview={button.image}
        onFile={(files) => change({ image: files?.[0] === undefined ? null : pickFile(files[0]) })}
        faults={faults[`${at}.image`]}
      />
      <TextField
        label={`Button of contact ${number}`}
        isOptional
        placeholder="Save contact"
        hint="Without a text it says “Save contact” in the visitor’s language."
        value={button.label}
        onValue={(label) => change({ label })}
        faults={faults[`${at}.label`]}
      />
    </fieldset>
  )
}
