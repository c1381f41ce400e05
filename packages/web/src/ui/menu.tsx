import type { OperationName } from '@waymark/sdk'
import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { May } from './may.tsx'
import { placePopover } from './place-popover.ts'

interface MenuProps {
  readonly label: string
  readonly trigger: ReactNode
  /** Whether the trigger has its own text. */
  readonly hasOwnText?: boolean
  readonly triggerClassName?: string
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)'),
]

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A menu with the browser's popover: in the top layer, closed by Escape or a click elsewhere. */
export function Menu({
  label,
  trigger,
  hasOwnText = false,
  triggerClassName,
  align = 'end',
  children,
}: MenuProps) {
  const id = useId()
  const buttonRef = useRef<HTMLButtonElement>(null)
  // Each row of a list has a menu, and its items are 40% of the row's elements, so they are rendered on demand.
  const [hasItems, setHasItems] = useState(false)

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const items = itemsOf(event.currentTarget)
    const at = items.indexOf(document.activeElement as HTMLElement)
    const move = moves[event.key]
    if (move !== undefined) {
      event.preventDefault()
      items[move(at, items.length)]?.focus()
    } else if (event.key === 'Tab') {
      event.currentTarget.hidePopover()
    } else if (event.key.length === 1 && /\S/.test(event.key)) {
      const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)]
      const begins = (item: HTMLElement): boolean =>
        item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase())
      rotated.find(begins)?.focus()
    }
  }

  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={hasOwnText ? undefined : label}
        title={label}
        className={triggerClassName ?? 'button button-icon button-ghost'}
      >
        {trigger}
      </button>
      <div
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onKeyDown={onKeyDown}
        // Before the item acts: a dialog that it opens gives the focus back to the button of the menu.
        onClickCapture={(event) => {
          if ((event.target as HTMLElement).closest('[role^="menuitem"]') !== null)
            event.currentTarget.hidePopover()
        }}
        onBeforeToggle={() => flushSync(() => setHasItems(true))}
        onToggle={(event) => {
          if (event.newState !== 'open' || buttonRef.current === null) return
          placePopover(event.currentTarget, buttonRef.current, align)
          itemsOf(event.currentTarget)[0]?.focus()
        }}
      >
        {hasItems && children}
      </div>
    </>
  )
}

interface MenuItemProps {
  readonly icon?: LucideIcon | undefined
  readonly onSelect: () => void
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  /** For an item that is one of several choices. */
  readonly isChecked?: boolean
  /** Shown at the end of the line. */
  readonly detail?: string
  /** The operation that it leads to. Users whose role does not allow it do not see the item. */
  readonly does?: OperationName
  readonly children: ReactNode
}

export function MenuItem({ does, ...rest }: MenuItemProps) {
  return does === undefined ? (
    <PlainItem {...rest} />
  ) : (
    <May does={does}>
      <PlainItem {...rest} />
    </May>
  )
}

function PlainItem({
  icon: Icon,
  onSelect,
  isDanger = false,
  isDisabled = false,
  isChecked,
  detail,
  children,
}: Omit<MenuItemProps, 'does'>) {
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      tabIndex={-1}
      disabled={isDisabled}
      data-danger={isDanger || undefined}
      className="menu-item disabled:opacity-50"
      onClick={onSelect}
    >
      {Icon !== undefined && <Icon aria-hidden size={16} className="shrink-0 opacity-70" />}
      {Icon === undefined && isChecked !== undefined && <span className="w-4 shrink-0" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {detail !== undefined && <span className="shrink-0 text-xs text-faint">{detail}</span>}
    </button>
  )
}

export function MenuLine() {
  return <hr className="mx-2 my-1 border-line" />
}
