import { fixUtm } from '@waymark/contract/utm'
import type { UtmLink } from '@waymark/sdk'
import { TriangleAlert, WandSparkles } from 'lucide-react'
import { useId, useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/numbers.ts'
import { utmLinksChanged } from './utm-values.ts'

const UNDO_MS = 10_000

type Tags = Pick<UtmLink, 'source' | 'medium' | 'campaign' | 'content' | 'term'>

const tagsOf = ({ source, medium, campaign, content, term }: UtmLink): Tags => ({
  source,
  medium,
  campaign,
  content,
  term,
})

/** The link with the linter's advice applied; null if the linter cannot know the intention. */
const fixOf = (link: UtmLink): Tags | null => {
  const fixed = fixUtm(link)
  return JSON.stringify(fixed) === JSON.stringify(tagsOf(link)) ? null : fixed
}

async function fix(link: UtmLink, tags: Tags): Promise<void> {
  const { uuid, url, shorten } = link
  const save = async (next: Tags, seen?: UtmLink): Promise<void> => {
    await api.editUtm({ uuid, url, shorten, ...next }, seen === undefined ? undefined : { ifMatch: seen })
    utmLinksChanged()
  }
  const report = (error: unknown): number => toast.failure(sentenceOf(error))
  try {
    await save(tags, link)
    toast.undoable('UTM link fixed', UNDO_MS, () => {
      save(tagsOf(link)).catch(report)
    })
  } catch (error) {
    report(error)
  }
}

/** Possible problems with reports of a link: a badge that shows details and a fix if there is one. */
export function UtmBadge({ link }: { readonly link: UtmLink }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const { length } = link.warnings
  if (length === 0) return null
  const fixed = fixOf(link)
  return (
    <div className="mt-1.5">
      <p className="flex flex-wrap items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-full bg-warn-soft px-2.5 text-xs font-semibold text-warn"
          onClick={() => setIsOpen(!isOpen)}
        >
          <TriangleAlert aria-hidden size={13} />
          {counted(length, 'hint')}
        </button>
        {fixed !== null && (
          <Button
            does="editUtm"
            look="ghost"
            icon={WandSparkles}
            isBusy={isBusy}
            className="min-h-7! px-2! text-xs!"
            aria-label={`Fix ${link.campaign}, ${link.source}`}
            onClick={() => {
              setIsBusy(true)
              void fix(link, fixed).finally(() => setIsBusy(false))
            }}
          >
            Fix
          </Button>
        )}
      </p>
      <ul
        id={id}
        hidden={!isOpen}
        className="mt-1.5 list-disc space-y-0.5 pl-5 text-sm wrap-anywhere text-muted"
      >
        {link.warnings.map((warning) => (
          <li key={warning}>{warning.charAt(0).toUpperCase() + warning.slice(1)}</li>
        ))}
      </ul>
    </div>
  )
}
