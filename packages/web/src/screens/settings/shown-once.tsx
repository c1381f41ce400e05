import { CopyButton } from '../../ui/copy.tsx'

/** A value to be stored elsewhere, with a button that copies it. */
export function ShownOnce({
  label,
  value,
  onCopied,
}: {
  readonly label: string
  readonly value: string
  readonly onCopied?: () => void
}) {
  return (
    <div>
      <p className="eyebrow mb-1">{label}</p>
      <p className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{value}</code>
        <CopyButton text={value} label={null} what={label} onCopied={onCopied} />
      </p>
    </div>
  )
}
