import { addressBucket } from '../../net/client-address.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { Mailer } from '../../net/mail.ts'
import type { Background } from '../../work/background.ts'

/** A visitor's report about a link. */
interface LinkReport {
  readonly domain: string
  readonly shortCode: string
  readonly url: string
  readonly reason: string
  readonly address: string
}

/** 0: the report is being sent; otherwise the seconds to wait. */
type ReportLink = (report: LinkReport) => Promise<number>

interface ReportDependencies {
  readonly mailer: Mailer
  readonly contact: string | undefined
  readonly limits: Limits
  readonly shortUrl: (name: { readonly domain: string; readonly short_code: string }) => string
  /** The response does not wait for the mail server. */
  readonly mails: Background
}

/** Reports per minute: from one address, about one link, and in total. */
const ADDRESS_LIMIT = 3
const LINK_LIMIT = 5
const TOTAL_LIMIT = 60
const REASON_CHARS = 500

/** Control characters could look like further lines of the mail. */
const oneLine = (text: string): string => text.slice(0, REASON_CHARS).replaceAll(/\p{Cc}+/gu, ' ')

/** Mails reports of visitors to ABUSE_CONTACT; null without a contact or mail server. */
export function createReports({
  mailer,
  contact,
  limits,
  shortUrl,
  mails,
}: ReportDependencies): ReportLink | null {
  if (contact === undefined || !mailer.enabled) return null
  const buckets = ({ address, domain, shortCode }: LinkReport) =>
    [
      [`report:${addressBucket(address)}`, ADDRESS_LIMIT],
      [`report-link:${domain}/${shortCode}`, LINK_LIMIT],
      ['report-all', TOTAL_LIMIT],
    ] as const
  return async (report) => {
    for (const [bucket, limit] of buckets(report)) {
      const { allowed, resetMs } = await limits.take(bucket, limit)
      if (!allowed) return Math.max(1, Math.ceil(resetMs / 1000))
    }
    const link = shortUrl({ domain: report.domain, short_code: report.shortCode })
    const text = [
      `A visitor has reported a short link.`,
      `Short link:  ${link}\nDestination: ${report.url}\nReason:      ${oneLine(report.reason) || 'none given'}`,
      `To block it: waymark admin link block ${link} --reason "…"`,
    ].join('\n\n')
    mails.start(() => mailer.send({ to: contact, subject: `Reported link: ${link}`, text }))
    return 0
  }
}
