import { buildUtmUrl, type UtmTags } from '@waymark/contract/utm'
import { withScheme } from '../../ui/addresses.ts'
import { ComboField } from '../../ui/combo-field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { channels } from '../utm/channels.ts'
import { remarksOf } from '../utm/remarks.ts'
import { utmHint } from '../utm/utm-hint.tsx'

const parts = [
  { name: 'source', label: 'Source', placeholder: 'newsletter', suggestions: channels.sources },
  { name: 'medium', label: 'Medium', placeholder: 'email', suggestions: channels.media },
  { name: 'campaign', label: 'Campaign', placeholder: 'spring-sale', suggestions: [] },
  { name: 'term', label: 'Term', placeholder: '', suggestions: [] },
  { name: 'content', label: 'Content', placeholder: 'header-button', suggestions: [] },
] as const

type Tags = Record<(typeof parts)[number]['name'], string>

/** The UTM parameters of an address. */
export const utmTagsOf = (address: string): Tags => {
  const query = URL.parse(withScheme(address))?.searchParams
  const of = (name: string): string => query?.get(`utm_${name}`) ?? ''
  return {
    source: of('source'),
    medium: of('medium'),
    campaign: of('campaign'),
    term: of('term'),
    content: of('content'),
  }
}

/** The address with these parameters; without any, existing ones are removed. */
export const withUtmTags = (address: string, tags: UtmTags): string => {
  const built = buildUtmUrl(withScheme(address), tags)
  return Object.values(tags).every((value) => value === '') ? built.replace(/[?&](?=#|$)/, '') : built
}

/** The UTM parameters of the destination. They are part of it, so the destination above changes with them. */
export function UtmFields({
  address,
  onAddress,
}: {
  readonly address: string
  readonly onAddress: (address: string) => void
}) {
  const tags = utmTagsOf(address)
  const set = Object.values(tags).filter((value) => value !== '')
  const remarks = set.length === 0 ? null : remarksOf(withScheme(address), tags, {}, location.host)
  return (
    <Fold title="UTM parameters" summary={set.length === 0 ? undefined : set.join(' / ')}>
      {URL.canParse(withScheme(address)) ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {parts.map(({ name, label, placeholder, suggestions }) => (
            <ComboField
              key={name}
              label={label}
              isOptional
              placeholder={placeholder}
              suggestions={suggestions}
              value={tags[name]}
              onValue={(value) => onAddress(withUtmTags(address, { ...tags, [name]: value }))}
              hint={utmHint(remarks, tags, name, (value) =>
                onAddress(withUtmTags(address, { ...tags, [name]: value })),
              )}
            />
          ))}
          <p className="text-sm text-faint sm:col-span-2">
            They are added to the destination, so that analytics tools see where visitors came from.
          </p>
        </div>
      ) : (
        <p className="text-sm text-muted">Enter a destination first.</p>
      )}
    </Fold>
  )
}
