import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'
import { isPrefetch } from '../visit-of.ts'

/*
 * Bots that fetch a link to show a preview card before anyone opens it. Search engines, monitors and command-line tools are
 * not included: they get the same response as visitors.
 */

/** The apps with known bots, and the user agent of each bot. */
const PREVIEW_FETCHERS: Readonly<Record<string, RegExp>> = {
  Slack: /\bSlackbot\b|\bSlack-ImgProxy\b/i,
  // Signal and Session deliberately use the same user agent.
  WhatsApp: /^WhatsApp\//i,
  X: /\bTwitterbot\//i,
  // Also Instagram, Threads, LINE (line-poker) and iMessage, which adds `facebookexternalhit` to the agent of Safari.
  Facebook: /\bfacebookexternalhit\b|\bFacebot\b|\bfacebookcatalog\//i,
  LinkedIn: /\bLinkedInBot\//i,
  Discord: /\bDiscordbot\//i,
  Telegram: /\bTelegramBot\b/i,
  // Also Microsoft Teams and Outlook.
  Skype: /\bSkypeUriPreview\b|\bMicrosoftPreview\//i,
  Pinterest: /^Pinterest\/|\bPinterestbot\//i,
  Reddit: /\bredditbot\//i,
  Bluesky: /\bBluesky Cardyb\b/i,
  // Also Gmail and Google Messages.
  'Google Chat': /\bGoogle-PageRenderer\b|developers\.google\.com\/\+\/web\/snippet/i,
  // Also other ActivityPub software with the same user agent.
  Mastodon: /\bMastodon\/|\bPleroma\b|\bAkkoma\b|\bMisskey\/|\bSummalyBot\/|\bLemmy\/|\bFriendica\b/i,
  Matrix: /\bSynapse \(bot|\bmatrix-media-repo\b/i,
  Mattermost: /\bMattermost-Bot\//i,
  Zulip: /\bZulipURLPreview\//i,
  Viber: /^Viber\b/i,
  VK: /\bvkShare\b/i,
  KakaoTalk: /\bkakaotalk-scrap\//i,
  Snapchat: /\bSnap URL Preview Service\b/i,
  Tumblr: /^Tumblr\//i,
  Trello: /^Trello-?Bot\b/i,
  Xing: /\bXING-contenttabreceiver\b/i,
  Embedly: /\bEmbedly\//i,
  Iframely: /\bIframely\//i,
}

/** Browsers and bots have shorter ones, and matching takes time. */
const MAX_USER_AGENT_CHARS = 512

const FETCHERS = Object.values(PREVIEW_FETCHERS)

/** Whether a request comes from a link-preview bot. */
export function isPreviewFetcher(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false
  const agent = userAgent.slice(0, MAX_USER_AGENT_CHARS)
  return FETCHERS.some((fetcher) => fetcher.test(agent))
}

/**
 * Programs that a person or script runs to open a URL. `isbot` lists them with the crawlers, but they do not scan links in
 * messages.
 */
const TOOL =
  /^(?:apache-httpclient|axios|bun|curl|deno|go-http-client|got|httpie|insomnia|java|k6|libcurl|libwww-perl|node|okhttp|postmanruntime|powershell|python|reqwest|ruby|undici|wget|xh)(?![a-z])/i

/** Whether a request comes from a crawler, link-preview bot or prefetch instead of a visitor who follows the link. */
export function onlyLooks(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'HEAD' || isPrefetch(headers) || isCrawler(headers['user-agent'] ?? '')
}

function isCrawler(userAgent: string): boolean {
  const agent = userAgent.slice(0, MAX_USER_AGENT_CHARS)
  return isbot(agent) && !TOOL.test(agent)
}
