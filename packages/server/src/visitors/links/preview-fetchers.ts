/*
 * Programs that fetch a link to draw a card for people who have not opened it yet. Search engines, monitors and command
 * line tools are not among them: they get what a visitor gets.
 */

/** The apps whose fetchers are known, with what the fetcher calls itself. */
const PREVIEW_FETCHERS: Readonly<Record<string, RegExp>> = {
  Slack: /\bSlackbot\b|\bSlack-ImgProxy\b/,
  // Signal and Session send the same name on purpose.
  WhatsApp: /^WhatsApp\//,
  X: /\bTwitterbot\//,
  // Also Instagram, Threads, LINE (line-poker) and iMessage, which adds `facebookexternalhit` to the agent of Safari.
  Facebook: /\bfacebookexternalhit\b|\bFacebot\b|\bfacebookcatalog\//,
  LinkedIn: /\bLinkedInBot\//,
  Discord: /\bDiscordbot\//,
  Telegram: /\bTelegramBot\b/,
  // Also Microsoft Teams and Outlook.
  Skype: /\bSkypeUriPreview\b/,
  Pinterest: /^Pinterest\/|\bPinterestbot\//,
  Reddit: /\bredditbot\//,
  Bluesky: /\bBluesky Cardyb\b/,
  // Also Gmail and Google Messages.
  'Google Chat': /\bGoogle-PageRenderer\b|developers\.google\.com\/\+\/web\/snippet/,
  // Also what speaks ActivityPub and names itself as Mastodon does.
  Mastodon: /\bMastodon\/|\bPleroma\b|\bAkkoma\b|\bMisskey\/|\bSummalyBot\/|\bLemmy\/|\bFriendica\b/,
  Matrix: /\bSynapse \(bot|\bmatrix-media-repo\b/,
  Mattermost: /\bMattermost-Bot\//,
  Zulip: /\bZulipURLPreview\//,
  Viber: /^Viber\b/,
  VK: /\bvkShare\b/,
  KakaoTalk: /\bkakaotalk-scrap\//,
  Snapchat: /\bSnap URL Preview Service\b/,
  Tumblr: /^Tumblr\//,
  Trello: /^Trello-?Bot\b/,
  Xing: /\bXING-contenttabreceiver\b/,
  Embedly: /\bEmbedly\//,
  Iframely: /\bIframely\//,
}

/** No fetcher has a longer one, and matching takes time. */
const MAX_USER_AGENT_CHARS = 512

const ANY = new RegExp(
  Object.values(PREVIEW_FETCHERS)
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** Whether a request is made to draw a card of a shared link. */
export function isPreviewFetcher(userAgent: string | undefined): boolean {
  return userAgent !== undefined && ANY.test(userAgent.slice(0, MAX_USER_AGENT_CHARS))
}
