/*
 * The default channel group of Google Analytics 4, from its help centre (answer 9756891): rules that are checked from top to
 * bottom, ignoring case; traffic that matches none is "Unassigned". The lists of sites behind "source matches a list of
 * search sites" and so on are long; these are the ones that campaigns use.
 */

/** The input of the rules. */
export interface Traffic {
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const sites = {
  search: words(
    'google bing yahoo duckduckgo baidu yandex ecosia ask aol msn naver daum qwant seznam startpage sogou brave lycos rambler dogpile presearch swisscows mojeek kagi',
  ),
  social: words(
    'facebook fb instagram ig threads twitter x linkedin lnkd pinterest pin reddit tumblr snapchat whatsapp wa telegram t quora vk vkontakte weibo wechat line kakao xing badoo meetup nextdoor discord flickr myspace livejournal mixi mastodon bluesky bsky hootsuite buffer stackoverflow messenger viber skype slack yammer goodreads ycombinator digg',
  ),
  video: words(
    'youtube youtu vimeo dailymotion twitch netflix hulu disneyplus tiktok iqiyi youku wistia ted veoh rumble',
  ),
  shopping: words(
    'amazon ebay etsy shopify walmart alibaba aliexpress mercadolibre mercadolivre stripe igshopping shopee rakuten',
  ),
}

const emails = words('email e-mail e_mail')
const isEmail = (value: string): boolean => emails.has(value) || value === 'e mail'

const PAID = /^(?:.*cp.*|ppc|retargeting|paid.*)$/s
const SHOPPING_CAMPAIGN = /^.*(?:(?:[^a-df-z]|^)shop|shopping).*$/s
const socialMediums = new Set([
  'social',
  'social-network',
  'social-media',
  'sm',
  'social network',
  'social media',
])
const displayMediums = words('display banner expandable interstitial cpm')
const referralMediums = words('referral app link')

/** A site by its name (`google`) or its address (`www.google.co.uk`, `l.facebook.com`). */
const isSite = (list: ReadonlySet<string>, source: string): boolean =>
  list.has(source) ||
  (source.includes('.') &&
    source.split('.').some((label, index, all) => index < all.length - 1 && list.has(label)))

type Rule = readonly [channel: string, holds: (traffic: Traffic) => boolean]

const isPaid = ({ medium }: Traffic): boolean => PAID.test(medium)
const isShopping = ({ source, campaign }: Traffic): boolean =>
  isSite(sites.shopping, source) || SHOPPING_CAMPAIGN.test(campaign)
const from =
  (list: ReadonlySet<string>) =>
  ({ source }: Traffic): boolean =>
    isSite(list, source)

const rules: readonly Rule[] = [
  ['Direct', ({ source, medium }) => source === '(direct)' && ['(not set)', '(none)'].includes(medium)],
  ['Cross-network', ({ campaign }) => campaign.includes('cross-network')],
  ['Paid Shopping', (traffic) => isPaid(traffic) && isShopping(traffic)],
  ['Paid Search', (traffic) => isPaid(traffic) && from(sites.search)(traffic)],
  ['Paid Social', (traffic) => isPaid(traffic) && from(sites.social)(traffic)],
  ['Paid Video', (traffic) => isPaid(traffic) && from(sites.video)(traffic)],
  ['Display', ({ medium }) => displayMediums.has(medium)],
  ['Paid Other', isPaid],
  ['Organic Shopping', isShopping],
  ['Organic Social', (traffic) => from(sites.social)(traffic) || socialMediums.has(traffic.medium)],
  ['Organic Video', (traffic) => from(sites.video)(traffic) || traffic.medium.includes('video')],
  ['Organic Search', (traffic) => from(sites.search)(traffic) || traffic.medium === 'organic'],
  ['Referral', ({ medium }) => referralMediums.has(medium)],
  ['Email', ({ source, medium }) => isEmail(source) || isEmail(medium)],
  ['Affiliates', ({ medium }) => medium === 'affiliate'],
  ['Audio', ({ medium }) => medium === 'audio'],
  ['SMS', ({ source, medium }) => source === 'sms' || medium === 'sms'],
  [
    'Mobile Push Notifications',
    ({ source, medium }) =>
      medium.endsWith('push') ||
      medium.includes('mobile') ||
      medium.includes('notification') ||
      source === 'firebase',
  ],
  ['AI Assistant', ({ medium }) => medium === 'ai-assistant'],
]

/** Google Analytics' name for traffic that matches no rule. */
export const UNASSIGNED = 'Unassigned'

/** The channel that Google Analytics would assign. */
export const channelOf = ({ source, medium, campaign }: Traffic): string => {
  const traffic = {
    source: source.toLowerCase(),
    medium: medium.toLowerCase(),
    campaign: campaign.toLowerCase(),
  }
  return rules.find(([, holds]) => holds(traffic))?.[0] ?? UNASSIGNED
}

const mediumWords = words(
  'cpc ppc cpm cpa cpv paid email e-mail e_mail social social-media social-network sm display banner affiliate referral organic sms push video audio retargeting',
)

/** Whether a value looks like a `utm_medium`: how people arrive. */
export const isMediumWord = (value: string): boolean => {
  const word = value.trim().toLowerCase()
  return mediumWords.has(word) || /^paid[-_ ]/.test(word)
}

const senders = words('newsletter mailchimp klaviyo hubspot sendgrid brevo substack')

/** Whether a value looks like a `utm_source`: where people come from. */
export const isSourceWord = (value: string): boolean => {
  const word = value.trim().toLowerCase()
  const looksLikeHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(word)
  return looksLikeHost || senders.has(word) || Object.values(sites).some((list) => isSite(list, word))
}
