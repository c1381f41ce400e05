import type { UtmLink } from '@waymark/sdk'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { saveEdit } from '../../api/save-edit.ts'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'

export interface Channel {
  key: number
  source: string
  medium: string
}

export interface UtmValues {
  url: string
  campaign: string
  content: string
  term: string
  shorten: boolean
  channels: Channel[]
}

const fieldNames = ['source', 'medium', 'campaign', 'content', 'term'] as const

/** Earlier values of each field, most recent first. */
export const earlierValues = (links: readonly UtmLink[]): Record<(typeof fieldNames)[number], string[]> => {
  const of = (name: (typeof fieldNames)[number]): string[] => [
    ...new Set(links.map((link) => link[name]).filter((value): value is string => value !== null)),
  ]
  return {
    source: of('source'),
    medium: of('medium'),
    campaign: of('campaign'),
    content: of('content'),
    term: of('term'),
  }
}

export const utmValuesOf = (link: UtmLink | null): UtmValues => ({
  url: link?.url ?? '',
  campaign: link?.campaign ?? '',
  content: link?.content ?? '',
  term: link?.term ?? '',
  shorten: link?.shorten ?? true,
  channels: [{ key: 0, source: link?.source ?? '', medium: link?.medium ?? '' }],
})

const nameOfField = namedBy({
  url: 'Destination',
  campaign: 'Campaign',
  content: 'Content',
  term: 'Term',
  channels: 'Channel',
  shorten: 'Create a short link',
})

const bodyOf = (values: UtmValues, { source, medium }: Channel) => ({
  url: withScheme(values.url),
  campaign: values.campaign.trim(),
  content: values.content.trim(),
  term: orNull(values.term),
  shorten: values.shorten,
  source: source.trim(),
  medium: medium.trim(),
})

/** Creates the link of a channel, or saves an edited link, which has one channel. */
export const saveChannel = (edited: UtmLink | null, values: UtmValues, channel: Channel): Promise<unknown> =>
  edited === null
    ? api.generateUtm(bodyOf(values, channel))
    : saveEdit(edited, values, {
        valuesOf: utmValuesOf,
        nameOf: nameOfField,
        send: (row, merged) =>
          api.editUtm({ ...bodyOf(merged, merged.channels[0] ?? channel), uuid: row.uuid }, { ifMatch: row }),
      })

/** Refetches every query that lists or counts UTM links or their parts. */
export const utmLinksChanged = (): void => {
  for (const queryKey of [['utmLinks'], ['links'], ['plan']]) void queryClient.invalidateQueries({ queryKey })
}
