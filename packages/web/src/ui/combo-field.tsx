import { type InputHTMLAttributes, type KeyboardEvent, useId, useRef, useState } from 'react'
import { classes } from './classes.ts'
import { Field, type FieldFrame } from './field.tsx'
import { placePopover } from './place-popover.ts'

type ComboProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly suggestions: readonly string[]
  /** Receives the typed or chosen text, and clears the field for the next one. */
  readonly onPick?: (text: string) => void
  /** Called for Backspace in the empty field. */
  readonly onErase?: () => void
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'name' | 'placeholder'>

const SHOWN = 8

/** Free text with earlier values as suggestions. */
export function ComboField({
  value,
  onValue,
  suggestions,
  onPick,
  onErase,
  name,
  placeholder,
  ...frame
}: ComboProps) {
  const listId = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const listRef = useRef<HTMLUListElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)

  const typed = value.trim().toLowerCase()
  const options = suggestions
    .filter((one) => one.toLowerCase().includes(typed) && one.toLowerCase() !== typed)
    .slice(0, SHOWN)
  const isShown = isOpen && options.length > 0

  const open = (): void => {
    setIsOpen(true)
    setActive(-1)
    const list = listRef.current
    const input = inputRef.current
    if (list === null || input === null) return
    if (!list.matches(':popover-open')) list.showPopover()
    list.style.width = `${input.offsetWidth}px`
    placePopover(list, input, 'start')
  }
  const close = (): void => {
    setIsOpen(false)
    if (listRef.current?.matches(':popover-open') === true) listRef.current.hidePopover()
  }
  const choose = (option: string): void => {
    ;(onPick ?? onValue)(option)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // During input method composition, Enter and arrow keys belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isShown) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + step + options.length) % options.length)
    } else if (event.key === 'Enter' && isShown && options[active] !== undefined) {
      event.preventDefault()
      choose(options[active])
    } else if (event.key === 'Enter' && onPick !== undefined && typed !== '') {
      event.preventDefault()
      choose(value)
    } else if (event.key === 'Backspace' && value === '') {
      onErase?.()
    } else if (event.key === 'Escape' && isShown) {
      // Closes the list, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return (
    <Field {...frame}>
      {(control) => (
        <>
          <input
            ref={inputRef}
            {...control}
            {...{ name, placeholder, value }}
            type="text"
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
            className="input"
            onChange={(event) => {
              onValue(event.target.value)
              open()
            }}
            onFocus={open}
            onBlur={() => {
              if (onPick !== undefined && typed !== '') onPick(value)
              close()
            }}
            onKeyDown={onKeyDown}
          />
          <ul
            ref={listRef}
            id={listId}
            popover="manual"
            role="listbox"
            aria-label="Suggestions"
            className={classes('menu', options.length === 0 && 'hidden')}
          >
            {options.map((option, index) => (
              <li
                key={option}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                className="menu-item"
                // The input keeps the focus, so that its blur does not close the list before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                <span className="truncate">{option}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Field>
  )
}
