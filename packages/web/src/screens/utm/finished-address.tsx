import { CopyButton } from '../../ui/copy.tsx'

/** The finished URL with its UTM parameters highlighted. */
export function FinishedAddress({ url }: { readonly url: string }) {
  if (url === '') return <p className="mt-3 text-sm text-faint">The finished URL appears here.</p>
  const parts = url.split(/(utm_[a-z]+=[^&#]*)/)
  return (
    <div className="mt-3 flex items-start gap-2 rounded-md bg-sunken py-1 pr-1 pl-3">
      <output
        aria-label="Finished URL"
        className="min-w-0 flex-1 py-1.5 font-mono text-xs leading-relaxed wrap-anywhere text-muted"
      >
        {parts.map((part, index) =>
          part.startsWith('utm_') ? (
            <strong key={index} className="font-semibold text-ink">
              {part}
            </strong>
          ) : (
            part
          ),
        )}
      </output>
      <CopyButton text={url} label={null} what="finished URL" />
    </div>
  )
}
