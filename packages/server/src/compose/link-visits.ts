import { isPassword } from '../accounts/users/passwords.ts'
import { hasClicksLeft, takeClick } from '../clicks/click-limits.ts'
import type { Core } from '../modules/module.ts'
import { Background } from '../work/background.ts'
import { addressBucket } from '../net/client-address.ts'
import { createReports, type ReportDependencies } from '../visitors/links/link-reports.ts'
import { createLinkVisits, type LinkVisitDependencies } from '../visitors/links/link-visits.ts'

/** Tries per minute of one address at the password of one link. */
const LINK_PASSWORD_TRIES = 10

/** How long a stop waits for reports that are being mailed. */
const MAIL_CLOSE_MS = 2_000

interface LinkVisitParts
  extends
    Pick<ReportDependencies, 'shortUrl'>,
    Omit<
      LinkVisitDependencies,
      'takeClick' | 'hasClicksLeft' | 'verifyPassword' | 'report' | 'secondsToWait'
    > {}

/** Opens what answers visits that a redirect alone does not: passwords, click limits, previews and reports. */
export function openLinkVisits(core: Core, parts: LinkVisitParts) {
  const { config, db, limits, mailer, closing, reportError } = core
  const mails = new Background(reportError)
  closing.defer(() => mails.close(MAIL_CLOSE_MS))
  return createLinkVisits({
    ...parts,
    takeClick: (linkId, maxClicks) => takeClick(db, linkId, maxClicks),
    hasClicksLeft: (linkId, maxClicks) => hasClicksLeft(db, linkId, maxClicks),
    verifyPassword: (hash, password) => isPassword(password, hash),
    report: createReports({ mailer, contact: config.abuseContact, limits, shortUrl: parts.shortUrl, mails }),
    secondsToWait: async (address, linkId) => {
      const tries = `link-password:${linkId}:${addressBucket(address)}`
      const { allowed, resetMs } = await limits.take(tries, LINK_PASSWORD_TRIES)
      return allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000))
    },
  })
}
