import { escapeHtml } from '@waymark/page'
import { type Brand, documentHeaders, renderDocument } from './document.ts'
import type { Look } from './link-notices.ts'
import { type Language, languageOf, visitorTexts } from '@waymark/page/languages'
import { buildNotices, type Notice, type NoticeKind, type NoticeSet, wantsJson } from './notices.ts'

/** The visitor settings of a custom domain. */
export interface HostSettings {
  readonly rootUrl: string | null
  readonly notFoundUrl: string | null
  readonly expiredUrl: string | null
  readonly ignoresCase: boolean
  readonly brand: Brand
}

/** The settings of a registered domain; undefined for the instance's own host. */
export type SettingsOf = (domain: string) => HostSettings | undefined

/** The request headers that decide which form of a notice is sent. */
interface NoticeHeaders {
  readonly accept?: string | undefined
  readonly 'accept-language'?: string | undefined
}

/** Notices for visitors of each host. */
export interface HostNotices {
  readonly notice: (domain: string, kind: NoticeKind, headers: NoticeHeaders) => Notice
  /** The root of a custom domain. */
  readonly root: (domain: string, headers: NoticeHeaders) => Notice
  readonly brandOf: (domain: string) => Brand | undefined
  readonly lookOf: (domain: string, headers: NoticeHeaders) => Look
}

const redirectTo = (url: string): Notice => ({
  status: 302,
  headers: ['location', url, 'cache-control', 'private, max-age=0', 'content-length', '0'],
  body: Buffer.alloc(0),
})

function rootPage(domain: string, brand: Brand, language: Language): Notice {
  const title = brand.name ?? domain
  const text = `<p>${visitorTexts[language].root.replace('{domain}', () => escapeHtml(domain))}</p>`
  const body = Buffer.from(renderDocument({ title, body: text }, { ...brand, name: null }, language))
  return { status: 200, headers: documentHeaders(body.length, false, brand), body }
}

/** Notices with the same options, built per language on first use. */
const byLanguage = (options: Parameters<typeof buildNotices>[1]): ((language: Language) => NoticeSet) => {
  const built = new Map<Language, NoticeSet>()
  return (language) => {
    const known = built.get(language) ?? buildNotices(language, options)
    built.set(language, known)
    return known
  }
}

/** Notices are built once for each language and version of a domain's settings. */
export function createHostNotices(settingsOf: SettingsOf, abuseContact?: string): HostNotices {
  const plain = byLanguage({ contact: abuseContact })
  const built = new WeakMap<HostSettings, ReturnType<typeof byLanguage>>()
  const noticesOf = (settings: HostSettings): ReturnType<typeof byLanguage> => {
    const { brand, ignoresCase } = settings
    const known = built.get(settings) ?? byLanguage({ contact: abuseContact, brand, ignoresCase })
    built.set(settings, known)
    return known
  }
  const brandOf = (domain: string): Brand | undefined =>
    domain === '' ? undefined : settingsOf(domain)?.brand
  return {
    brandOf,
    notice(domain, kind, headers) {
      const settings = domain === '' ? undefined : settingsOf(domain)
      const elsewhere = settings && redirectFor(settings, kind)
      if (elsewhere != null) return redirectTo(elsewhere)
      if (wantsJson(headers.accept)) return plain('en')[kind].json
      const notices = settings === undefined ? plain : noticesOf(settings)
      return notices(languageOf(headers['accept-language']))[kind].html
    },
    root(domain, headers) {
      const settings = settingsOf(domain)
      const language = languageOf(headers['accept-language'])
      if (settings === undefined) return plain(language).notFound.html
      return settings.rootUrl === null
        ? rootPage(domain, settings.brand, language)
        : redirectTo(settings.rootUrl)
    },
    lookOf: (domain, headers) => ({
      brand: brandOf(domain),
      language: languageOf(headers['accept-language']),
    }),
  }
}

const redirectFor = ({ notFoundUrl, expiredUrl }: HostSettings, kind: NoticeKind): string | null => {
  if (kind === 'notFound') return notFoundUrl
  return kind === 'expired' ? expiredUrl : null
}
