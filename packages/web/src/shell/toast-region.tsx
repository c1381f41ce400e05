import { X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { toast, toastStore } from './toasts.ts'

/** The region for toasts: in the top layer, so that dialogs do not cover it, and announced politely. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const ref = useRef<HTMLDivElement>(null)
  const newest = toasts.at(-1)?.id

  useEffect(() => {
    const region = ref.current
    if (region === null || newest === undefined) return
    // Shown again each time, because the last element to enter the top layer is in front.
    if (region.matches(':popover-open')) region.hidePopover()
    region.showPopover()
  }, [newest])

  return (
    <div ref={ref} popover="manual" className="toasts">
      <div role="status" aria-live="polite" className="space-y-2">
        {toasts.map(({ id, text, kind, action }) => (
          <div
            key={id}
            className={classes(
              'toast flex items-center gap-2 rounded-lg py-1.5 pr-1.5 pl-4 text-sm font-semibold shadow-lg',
              kind === 'failure' ? 'bg-danger text-on-danger' : 'bg-ink text-ground',
            )}
          >
            <span className="min-w-0 flex-1 py-1 wrap-anywhere">{text}</span>
            {action !== undefined && (
              <button
                type="button"
                className="rounded-md px-2.5 py-1 font-bold text-blaze hover:underline dark:text-brand-soft"
                onClick={() => {
                  toast.dismiss(id)
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
            <IconButton
              label="Dismiss"
              icon={X}
              look="ghost"
              className="text-current! hover:bg-transparent!"
              onClick={() => toast.dismiss(id)}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
