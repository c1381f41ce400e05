import { buildUtmUrl, lintUtm, type UtmHistory, type UtmTags } from '@waymark/contract/utm'

const FIELDS = ['source', 'medium', 'campaign', 'content', 'term'] as const

/** The remarks of the linter, each at the field that it begins with; the others apply to the whole link. */
export interface Remarks {
  readonly fields: Readonly<Record<string, string>>
  readonly whole: readonly string[]
}

const trimmed = (tags: UtmTags): UtmTags => ({
  source: tags.source.trim(),
  medium: tags.medium.trim(),
  campaign: tags.campaign.trim(),
  content: tags.content.trim(),
  term: (tags.term ?? '').trim(),
})

/** Whether an address is a short link of this server, whose redirect would drop the tags. */
const isOwnShortLink = (address: string, host: string): boolean => {
  const url = URL.parse(address)
  return url !== null && url.host === host && /^\/[^/]+$/.test(url.pathname)
}

/** The server's linter, run while typing. */
export const remarksOf = (
  address: string,
  tags: UtmTags,
  used: UtmHistory['used'],
  host: string,
): Remarks => {
  const said = lintUtm(address, trimmed(tags), { isShortLink: isOwnShortLink(address, host), used })
  const fields: Record<string, string> = {}
  const whole: string[] = []
  // Source and medium can only be compared when both are filled in.
  const isComplete = tags.source.trim() !== '' && tags.medium.trim() !== ''
  for (const sentence of said) {
    const field = FIELDS.find((name) => new RegExp(`^${name} (?:has|was) `).test(sentence))
    if (field !== undefined)
      fields[field] = fields[field] === undefined ? sentence : `${fields[field]}. ${sentence}`
    else if (isComplete || sentence.startsWith('The address')) whole.push(sentence)
  }
  return { fields, whole }
}

/** The URL with the parameters typed so far. */
export const grownAddress = (address: string, tags: UtmTags): string => {
  const values = trimmed(tags)
  const isBare = Object.values(values).every((value) => value === '')
  return address === '' || isBare ? address : buildUtmUrl(address, values)
}
