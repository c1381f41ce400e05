import { describe, expect, test } from 'vitest'
import { isPreviewFetcher } from './preview-fetchers.ts'

const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko)'
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('isPreviewFetcher', () => {
  test.each([
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Slack, once more', 'Slackbot 1.0 (+https://api.slack.com/robots)'],
    ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
    ['Signal', 'WhatsApp/2'],
    ['X', 'Twitterbot/1.0'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Facebook, once more', 'Facebot'],
    ['LINE', 'facebookexternalhit/1.1;line-poker/1.0'],
    ['LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
    ['Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
    ['Telegram', 'TelegramBot (like TwitterBot)'],
    ['iMessage', `${SAFARI} Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`],
    ['Teams', `${CHROME} Safari/537.36 SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com`],
    [
      'Microsoft',
      `${CHROME} Safari/537.36 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)`,
    ],
    ['Pinterest', 'Pinterest/0.2 (+https://www.pinterest.com/bot.html)'],
    [
      'Pinterest, once more',
      'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
    ],
    ['Mastodon', 'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/) Bot'],
    ['an older Mastodon', 'http.rb/5.1.1 (Mastodon/4.2.0; +https://mastodon.social/) Bot'],
    ['Misskey', 'SummalyBot/5.0.3'],
    ['Reddit', 'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)'],
    ['Bluesky', 'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
    ['Google Chat', `${CHROME} Safari/537.36 Google (+https://developers.google.com/+/web/snippet/)`],
    ['Matrix', 'Synapse (bot; +https://github.com/matrix-org/synapse)'],
    ['Mattermost', 'Mattermost-Bot/1.1'],
    ['Zulip', 'Mozilla/5.0 (compatible; ZulipURLPreview/8.0; +https://zulip.com)'],
    ['VK', 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)'],
    ['KakaoTalk', 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/'],
    ['Snapchat', `${CHROME} Safari/537.36 (compatible; Snap URL Preview Service; bot; snapchat)`],
  ])('knows that of %s', (_app, userAgent) => expect(isPreviewFetcher(userAgent)).toBe(true))

  test.each([
    ['a browser', `${CHROME} Safari/537.36`],
    ['the browser in Slack', `${CHROME} Electron/25.0.0 Safari/537.36 Slack_SSB/4.35.0`],
    ['the browser in LinkedIn', `${PHONE} Mobile/15E148 [LinkedInApp]/9.29.6158`],
    ['the browser in Facebook', `${PHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/450.0]`],
    ['the browser in Pinterest', `${PHONE} Mobile/15E148 [Pinterest/iOS]`],
    ['the browser in Snapchat', `${PHONE} Mobile/15E148 Snapchat/12.60.0.45`],
    ['the browser in Discord', `${CHROME} discord/1.0.9030 Electron/22.3.26 Safari/537.36`],
    ['the browser in Teams', `${CHROME} Teams/1.6.00.4472 Electron/19.1.8 Safari/537.36`],
    ['a search engine', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a tool', 'curl/8.5.0'],
    ['nothing', ''],
    ['a name far behind', `${'x'.repeat(600)} Twitterbot/1.0`],
  ])('leaves %s alone', (_name, userAgent) => expect(isPreviewFetcher(userAgent)).toBe(false))

  test('no header', () => expect(isPreviewFetcher(undefined)).toBe(false))
})
