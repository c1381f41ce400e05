import { escapeHtml } from '@waymark/page'
import { type Brand, documentHeaders, renderDocument } from './document.ts'
import { buildNotices, type Notice, type NoticeKind, type NoticeSet, wantsJson } from './notices.ts'

/** What the owner of a custom domain has chosen for its visitors. */
export interface HostSettings {
  readonly rootUrl: string | null
  readonly notFoundUrl: string | null
  readonly expiredUrl: string | null
  readonly ignoresCase: boolean
  readonly brand: Brand
}

/** The settings of a registered domain; undefined for the instance's own host. */
export type SettingsOf = (domain: string) => HostSettings | undefined

/** What visitors of each host get where there is nothing else to show. */
export interface HostNotices {
  readonly notice: (domain: string, kind: NoticeKind, accept: string | undefined) => Notice
  /** The root of a custom domain. */
  readonly root: (domain: string) => Notice
  readonly brandOf: (domain: string) => Brand | undefined
}

interface HostNoticeSet extends NoticeSet {
  readonly redirects: Partial<Record<NoticeKind, Notice>>
  readonly root: Notice
}

const redirectTo = (url: string): Notice => ({
  status: 302,
  headers: ['location', url, 'cache-control', 'private, max-age=0', 'content-length', '0'],
  body: Buffer.alloc(0),
})

function rootPage(domain: string, brand: Brand): Notice {
  const title = brand.name ?? domain
  const text = `<p>${escapeHtml(domain)} serves short links and pages. Please open the complete address that you were given.</p>`
  const body = Buffer.from(renderDocument({ title, body: text }, { ...brand, name: null }))
  return { status: 200, headers: documentHeaders(body.length, false, brand), body }
}

const build = (domain: string, settings: HostSettings, contact: string | undefined): HostNoticeSet => ({
  ...buildNotices(contact, settings.brand, settings.ignoresCase),
  redirects: {
    ...(settings.notFoundUrl !== null && { notFound: redirectTo(settings.notFoundUrl) }),
    ...(settings.expiredUrl !== null && { expired: redirectTo(settings.expiredUrl) }),
  },
  root: settings.rootUrl === null ? rootPage(domain, settings.brand) : redirectTo(settings.rootUrl),
})

/** Notices are built once for each version of a domain's settings. */
export function createHostNotices(settingsOf: SettingsOf, abuseContact?: string): HostNotices {
  const plain = buildNotices(abuseContact)
  const built = new WeakMap<HostSettings, HostNoticeSet>()
  const setOf = (domain: string, settings: HostSettings): HostNoticeSet => {
    let set = built.get(settings)
    if (set === undefined) {
      set = build(domain, settings, abuseContact)
      built.set(settings, set)
    }
    return set
  }
  return {
    notice(domain, kind, accept) {
      const settings = domain === '' ? undefined : settingsOf(domain)
      if (settings === undefined) return plain[kind][wantsJson(accept) ? 'json' : 'html']
      const set = setOf(domain, settings)
      return set.redirects[kind] ?? set[kind][wantsJson(accept) ? 'json' : 'html']
    },
    root(domain) {
      const settings = settingsOf(domain)
      return settings === undefined ? plain.notFound.html : setOf(domain, settings).root
    },
    brandOf: (domain) => (domain === '' ? undefined : settingsOf(domain)?.brand),
  }
}
